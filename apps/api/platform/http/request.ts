import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  type ParamDecoratorEnhancer,
  type StreamableFile,
} from '@nestjs/common';
import { Command, Query } from '@nestjs/cqrs';
import {
  ApiExtension,
  ApiHeader,
  type ApiHeaderOptions,
  ApiOperation,
  ApiResponse,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '#domain/errors/error-table.js';
import type { Actor } from '#domain/recorded-event.js';
import { callerOf } from '../auth/caller.decorator.js';
import { Roles, type RouteRoles } from '../auth/roles.js';
import type { Answer } from './answer.js';
import { ERROR_CODES_FIELD } from './answers.decorator.js';
import { IDEMPOTENCY_HEADER, identityOf, type RequestIdentity } from './identity.decorator.js';
import { type ReadModelName, ReadsFrom, ReadsWithoutOwnWrites } from './reads-from.decorator.js';

/** A class whose instances are requests. */
export type RequestClass<Message extends object = object> = new () => Message;

/** The description of a request for openapi.json and the guards. It is the same on every route. */
export interface Description<Body, Field = string> {
  readonly summary: string;
  readonly description?: string;
  /** The roles that may send the request. The handler checks whose data it reaches. */
  readonly roles: RouteRoles;
  /** The status of a success with the class of its body, or the content of a file. */
  readonly answers: readonly [status: 200 | 201 | 202, body: new () => Body] | FileContent;
  /** The error codes in addition to those that every route can return. */
  readonly fails?: readonly ErrorCode[];
  /** The read models that it reads: it runs after they have passed the caller's last write and `Mace-Min-Position`. */
  readonly reads?: readonly ReadModelName[];
  /** The fields that stand in the query string, although the request has a body. */
  readonly query?: readonly Field[];
  /** True if it does not wait for the caller's own writes, because it compares its answer with the log. */
  readonly ignoresOwnWrites?: boolean;
}

/** The kinds of content of a file, for openapi.json. */
export interface FileContent {
  readonly content: Readonly<Record<string, { readonly schema: object }>>;
}

type Answered<Body> = Command<Answer<Body>> | Command<Body> | Query<Answer<Body>> | Query<Body>;

const DESCRIPTION = Symbol('description');
const SOURCES = Symbol('sources');
const REQUEST = Symbol('request');

/** Describes a request. It compiles only if the command or the query answers with the fields of the described class. */
export const Describes =
  <Body, Message extends Answered<Body> | Query<StreamableFile>>(
    description: Description<Body, keyof Message>,
  ) =>
  (target: RequestClass<Message>): void =>
    Reflect.defineMetadata(DESCRIPTION, description, target);

const descriptionOf = (request: RequestClass): Description<unknown> | undefined =>
  Reflect.getOwnMetadata(DESCRIPTION, request) as Description<unknown> | undefined;

type Source = (request: FastifyRequest) => unknown;

/** Sets a field from the HTTP request itself. @param header the header that it reads, for openapi.json */
export const FromRequest =
  (source: Source, header?: ApiHeaderOptions): PropertyDecorator =>
  (prototype, field) => {
    const inherited = sourcesIn(prototype);
    Reflect.defineMetadata(SOURCES, [...inherited, { field, source, header }], prototype);
  };

interface FieldSource {
  readonly field: string;
  readonly source: Source;
  readonly header: ApiHeaderOptions | undefined;
}

const sourcesIn = (prototype: object): readonly FieldSource[] =>
  (Reflect.getMetadata(SOURCES, prototype) as readonly FieldSource[] | undefined) ?? [];

/** Returns the fields of a request that come from the HTTP request itself. */
export const sourcesOf = (request: RequestClass): readonly FieldSource[] =>
  sourcesIn(request.prototype as object);

/** A request that changes memory: a command, with its caller and its identity (SPEC I7). */
export abstract class WriteRequest<Body> extends Command<Answer<Body>> {
  @FromRequest(callerOf)
  readonly actor!: Actor;

  @FromRequest(identityOf, IDEMPOTENCY_HEADER)
  readonly identity!: RequestIdentity;
}

/** A request that only reads, with its caller. */
export abstract class ReadRequest<Body> extends Query<Body> {
  @FromRequest(callerOf)
  readonly actor!: Actor;
}

/** A request to the service itself, which makes no event: a command with its caller. */
export abstract class ServiceRequest<Body> extends Command<Body> {
  @FromRequest(callerOf)
  readonly actor!: Actor;
}

/** An HTTP request that a controller receives as an instance of its request's class. */
export class Received {
  constructor(readonly http: FastifyRequest) {}
}

const describe: ParamDecoratorEnhancer = (target, method, index) => {
  const descriptor = Object.getOwnPropertyDescriptor(target, method ?? '');
  if (method === undefined || descriptor === undefined) return;
  const types = Reflect.getMetadata('design:paramtypes', target, method) as RequestClass[];
  const request = types[index] as RequestClass;
  const described = descriptionOf(request);
  if (described === undefined) throw new Error(`${request.name} has no @Describes`);
  Reflect.defineMetadata(REQUEST, request, descriptor.value as object);
  applyDecorators(
    ...decoratorsOf(described),
    ...sourcesOf(request).flatMap(({ header }) =>
      header === undefined ? [] : [ApiHeader(header)],
    ),
  )(target, method, descriptor);
};

function decoratorsOf({
  answers,
  roles,
  summary,
  description,
  fails = [],
  reads = [],
  ignoresOwnWrites = false,
}: Description<unknown>): MethodDecorator[] {
  const [status, type] = 'content' in answers ? [200] : answers;
  return [
    ApiOperation({ summary, ...(description === undefined ? {} : { description }) }),
    Roles(roles),
    HttpCode(status),
    ApiResponse({ status, ...('content' in answers ? answers : { type: type as RequestClass }) }),
    ApiExtension(ERROR_CODES_FIELD, fails) as MethodDecorator,
    ...(reads.length === 0
      ? []
      : [(ignoresOwnWrites ? ReadsWithoutOwnWrites : ReadsFrom)(...reads)]),
  ];
}

/**
 * The request as an instance of the parameter's class. Fields that the path names come from the path; the others from
 * the body, or from the query string if the method has no body.
 */
export const Request = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    new Received(context.switchToHttp().getRequest<FastifyRequest>()),
  [describe],
);

/** Returns the class of the request that a controller's method receives. */
export const requestOf = (handler: object): RequestClass | undefined =>
  Reflect.getMetadata(REQUEST, handler) as RequestClass | undefined;

/** True for the methods that have a body. With any other, such as HEAD, the fields stand in the query string. */
export const hasBody = (method: string): boolean => ['POST', 'PUT', 'PATCH'].includes(method);

/** Returns where a field of a request stands in an HTTP request of a method, if the path does not have it. */
export const placeOf = (request: RequestClass, method: string, field: string): 'query' | 'body' =>
  hasBody(method) && !descriptionOf(request)?.query?.includes(field) ? 'body' : 'query';
