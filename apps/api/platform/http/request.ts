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
  ApiBody,
  type ApiBodyOptions,
  ApiConflictResponse,
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  type ApiHeaderOptions,
  ApiOperation,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '#domain/errors/error-table.js';
import type { Json } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import { callerOf } from '../auth/caller.js';
import { Public, Roles, type RouteRoles } from '../auth/roles.js';
import type { Answer } from './answer.js';
import { TakesDryRuns } from './dry-run.js';
import { IDEMPOTENCY_HEADER, identityOf, type RequestIdentity } from './identity.js';
import { type ReadModelName, ReadsFrom, ReadsWithoutOwnWrites } from './reads-from.decorator.js';

/** A class whose instances are requests. */
export type RequestClass<Message extends object = object> = new () => Message;

/** The description of a request for openapi.json and the guards. It is the same on every route. */
export interface Description<Body, Field = string> {
  readonly summary: string;
  readonly description?: string;
  /** The roles that may send the request. The handler checks whose data it reaches. `public` needs no token. */
  readonly roles: RouteRoles | 'public';
  /** The status of a success with the class of its body, or the content of a file; absent if it is always refused. */
  readonly answers?: readonly [status: 200 | 201 | 202, body: new () => Body] | FileContent<Body>;
  /** Describes the 202 with the same body, for a request that can take long: see `Answer.progress`. */
  readonly accepted?: string;
  /** The class of the 200 that says what the request would do; the field `dry_run` asks for it. */
  readonly dryRun?: new () => Body;
  /** The error codes in addition to those that every route can return. */
  readonly fails?: readonly ErrorCode[];
  /** The read models that it reads: it runs after they have passed the caller's last write and `Mace-Min-Position`. */
  readonly reads?: readonly ReadModelName[];
  /** The fields that stand in the query string, although the request has a body. */
  readonly query?: readonly Field[];
  /** Fields as callers send them, for openapi.json and for answers that name the route. */
  readonly example?: Readonly<Partial<Record<Field & string, Json>>>;
  /** The parameters of the path in an example. */
  readonly path?: Readonly<Record<string, string>>;
  /** A verb phrase that answers write after the name of the route, such as `begins a thread`. */
  readonly does?: string;
  /** Describes a body that the request takes as a whole by `@FromRequest`. */
  readonly body?: ApiBodyOptions;
  /** True if it does not wait for the caller's own writes, because it compares its answer with the log. */
  readonly ignoresOwnWrites?: boolean;
}

/** The kinds of content of a file, for openapi.json. */
export interface FileContent<Body = never> {
  readonly description?: string;
  readonly content: Readonly<Record<string, { readonly schema: object }>>;
  /** The class of the body if the answer can be JSON too. */
  readonly json?: new () => Body;
}

/** The field of an operation in openapi.json that lists its error codes. */
export const ERROR_CODES_FIELD = 'x-error-codes';

type Answered<Body> = Command<Answer<Body>> | Command<Body> | Query<Answer<Body>> | Query<Body>;

const DESCRIPTION = Symbol('description');
const SOURCES = Symbol('sources');
const REQUEST = Symbol('request');

/** Describes a request. It compiles only if the command or the query answers with the fields of the described class. */
export const Describes =
  <Message extends Answered<Body> | Query<StreamableFile | Body>, Body = never>(
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

/** An HTTP request before the pipe makes an instance of its request class. */
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
  accepted,
  dryRun,
  body,
  roles,
  summary,
  description,
  fails = [],
  reads = [],
  ignoresOwnWrites = false,
}: Description<unknown>): MethodDecorator[] {
  return [
    ApiOperation({ summary, ...(description === undefined ? {} : { description }) }),
    roles === 'public' ? Public() : Roles(roles),
    ...successes(answers, accepted),
    ...(dryRun === undefined
      ? []
      : [TakesDryRuns(), ApiResponse({ status: 200, type: dryRun as RequestClass })]),
    ...(body === undefined ? [] : [ApiBody(body)]),
    ApiExtension(ERROR_CODES_FIELD, fails) as MethodDecorator,
    ...(reads.length === 0
      ? []
      : [(ignoresOwnWrites ? ReadsWithoutOwnWrites : ReadsFrom)(...reads)]),
  ];
}

function successes(
  answers: Description<unknown>['answers'],
  accepted: string | undefined,
): MethodDecorator[] {
  // Without any response, Nest would describe a success.
  if (answers === undefined) return [ApiConflictResponse()];
  if ('content' in answers) {
    const { description = '', content, json } = answers;
    const page: FileContent['content'] =
      json === undefined ? {} : { 'application/json': { schema: { $ref: getSchemaPath(json) } } };
    return [
      HttpCode(200),
      ...(json === undefined ? [] : [ApiExtraModels(json) as MethodDecorator]),
      ApiResponse({ status: 200, description, content: { ...page, ...content } }),
    ];
  }
  const [status, body] = answers;
  const type = body as RequestClass;
  return [
    HttpCode(status),
    ApiResponse({ status, type }),
    ...(accepted === undefined ? [] : [ApiResponse({ status: 202, type, description: accepted })]),
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

/** Returns what an answer that names a request says of it. */
export const usedAs = (
  request: RequestClass,
): Partial<Pick<Description<unknown>, 'does' | 'path'>> & {
  readonly example?: Readonly<Record<string, Json>>;
} => (descriptionOf(request) ?? {}) as ReturnType<typeof usedAs>;

/** True if the request takes the body of an HTTP request as a whole, unchecked. */
export const takesWholeBody = (request: RequestClass): boolean =>
  descriptionOf(request)?.body !== undefined;
