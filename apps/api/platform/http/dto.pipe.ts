import 'reflect-metadata';
import { Inject, Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { Allow, getMetadataStorage, type ValidationArguments } from 'class-validator';
import { uncarriable } from '#domain/determinism/canonical-json.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import { shownName } from '#domain/privacy/scan-id.js';
import { clearText } from '#domain/privacy/clear-text.js';
import type { FastifyRequest } from 'fastify';
import { PRIVACY_RULES } from '../tokens.js';
import type { DtoClass } from './answer-fields.js';
import {
  hasBody,
  placeOf,
  Received,
  type RequestClass,
  sourcesOf,
  takesWholeBody,
} from './request.js';

type NestedField =
  | { readonly kind: 'one'; readonly dto: DtoClass }
  | { readonly kind: 'many'; readonly dto: DtoClass; readonly max: number }
  | CommandsField;

/** The commands of a batch: a field of each selects its DTO. */
interface CommandsField {
  readonly kind: 'commands';
  readonly by: string;
  readonly dtos: Readonly<Record<string, DtoClass>>;
  readonly max: number;
}

const NESTED = Symbol('nested');

/** Marks a property that contains other DTOs. */
export const nestedField =
  (nested: NestedField): PropertyDecorator =>
  (prototype, property) => {
    Reflect.defineMetadata(NESTED, nested, prototype, property);
    Allow()(prototype, property);
  };

const nestedOf = (dto: DtoClass, property: string): NestedField | undefined =>
  Reflect.getMetadata(NESTED, dto.prototype as object, property) as NestedField | undefined;

/** The reason why an input is refused: the field's path and the broken rule, never the value (SPEC P6). */
class FieldProblem extends Error {
  override readonly name = 'FieldProblem';
  constructor(
    readonly path: string,
    readonly rule: string,
    /** The index of the command of a batch that the field belongs to. */
    readonly command?: number,
  ) {
    super(`${path === '' ? 'the input' : path} ${rule}`);
  }
}

/** Reads parsed JSON into an instance of a DTO class, or throws a FieldProblem. The rules decide which names it may show. */
type Read = (input: unknown, path: string, rules: RuleSet) => object;

interface Rule {
  /** The rule's message, such as `must be a string`. */
  readonly message: string;
  /** True if the rule checks each item of a list. */
  readonly each: boolean;
  readonly holds: (value: unknown) => boolean;
}

interface FieldReader {
  readonly optional: boolean;
  readonly rules: readonly Rule[];
  readonly nested: NestedField | undefined;
}

interface Constraint {
  validate(value: unknown, args: ValidationArguments): boolean | Promise<boolean>;
  defaultMessage(args: ValidationArguments): string;
}

type Metadata = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

/** Returns a rule that a class-validator decorator declared, as a plain function. */
function ruleOf(dto: DtoClass, metadata: Metadata): Rule {
  const [constraint] = getMetadataStorage().getTargetValidatorConstraints(
    metadata.constraintCls,
  ) as unknown as [{ instance: Constraint }];
  const constraints = (metadata.constraints ?? []) as unknown[];
  const args = { targetName: dto.name, property: metadata.propertyName, object: {}, constraints };
  const complete = { ...args, value: undefined };
  return {
    message: constraint.instance
      .defaultMessage(complete)
      .replace(/^(each value in )?\$property /, '')
      .replace(/\$constraint(\d)/g, (_, place: string) => String(constraints[Number(place) - 1])),
    each: metadata.each,
    // No rule reads the value from its arguments, so they are made once.
    holds: (value) => constraint.instance.validate(value, complete) === true,
  };
}

type Fields = ReadonlyMap<string, FieldReader>;

function fieldReaders(dto: DtoClass): Fields {
  const all = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const fields = new Map<string, FieldReader>();
  for (const property of new Set(all.map((metadata) => metadata.propertyName))) {
    const own = all.filter((metadata) => metadata.propertyName === property);
    fields.set(property, {
      optional: own.some((metadata) => metadata.type === 'conditionalValidation'),
      rules: own
        .filter((metadata) => metadata.type === 'customValidation')
        .map((metadata) => ruleOf(dto, metadata)),
      nested: nestedOf(dto, property),
    });
  }
  return fields;
}

const within = (path: string, key: string | number): string =>
  path === '' ? String(key) : `${path}.${key}`;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shownKey = (key: string, rules: RuleSet): string => shownName(key, rules) ?? '(unprintable)';

function checkRules(field: FieldReader, value: unknown, path: string): void {
  for (const { message, each, holds } of field.rules) {
    if (!each) {
      if (!holds(value)) throw new FieldProblem(path, message);
    } else if (Array.isArray(value)) {
      const broken = value.findIndex((item) => !holds(item));
      if (broken !== -1) throw new FieldProblem(within(path, broken), message);
    }
  }
}

function readNested(nested: NestedField, value: unknown, path: string, rules: RuleSet): unknown {
  if (nested.kind === 'one') return readerOf(nested.dto)(value, path, rules);
  if (!Array.isArray(value)) throw new FieldProblem(path, 'must be an array');
  if (value.length > nested.max)
    throw new FieldProblem(path, `must not hold more than ${nested.max} items`);
  if (nested.kind === 'many') {
    const read = readerOf(nested.dto);
    return value.map((item: unknown, index) => read(item, within(path, index), rules));
  }
  if (value.length === 0) throw new FieldProblem(path, 'must not be empty');
  return value.map((item: unknown, index) => {
    try {
      return readCommand(nested, item, within(path, index), rules);
    } catch (problem) {
      if (!(problem instanceof FieldProblem) || value.length === 1) throw problem;
      throw new FieldProblem(problem.path, problem.rule, index);
    }
  });
}

function readCommand(
  { by, dtos }: CommandsField,
  item: unknown,
  path: string,
  rules: RuleSet,
): object {
  const chosen = isRecord(item) ? item[by] : undefined;
  if (typeof chosen !== 'string' || !Object.hasOwn(dtos, chosen))
    throw new FieldProblem(within(path, by), `must be one of ${Object.keys(dtos).join(', ')}`);
  return readerOf(dtos[chosen] as DtoClass)(item, path, rules);
}

function compile(dto: DtoClass): Read {
  const fields = fieldReaders(dto);
  return (input, path, rules) =>
    readFields(fields, input, path, rules, new dto() as Record<string, unknown>);
}

function readFields(
  fields: Fields,
  input: unknown,
  path: string,
  rules: RuleSet,
  output: Record<string, unknown>,
): object {
  if (!isRecord(input)) throw new FieldProblem(path, 'must be an object');
  for (const key of Object.keys(input))
    if (!fields.has(key))
      throw new FieldProblem(within(path, shownKey(key, rules)), 'is not a known field');
  for (const [key, field] of fields) {
    const value = Object.hasOwn(input, key) ? input[key] : undefined;
    if (field.optional && (value === undefined || value === null)) continue;
    if (field.nested !== undefined) {
      output[key] = readNested(field.nested, value, within(path, key), rules);
      continue;
    }
    checkRules(field, value, within(path, key));
    if (value !== undefined) output[key] = value;
  }
  return output;
}

/** The fields of a request, by the part of the HTTP request that has them. */
interface Places {
  readonly sources: ReturnType<typeof sourcesOf>;
  readonly path: Fields;
  readonly query: Fields;
  /** Undefined for a method without a body, and for a request that takes it as a whole. */
  readonly body: Fields | undefined;
}

const places = new Map<RequestClass, Map<string, Places>>();

/** Returns where a request's fields stand on a route, worked out once. */
function placesOf(request: RequestClass, { method, routeOptions, params }: FastifyRequest): Places {
  const routes = places.get(request) ?? new Map<string, Places>();
  places.set(request, routes);
  const route = `${method} ${routeOptions.url}`;
  const known = routes.get(route);
  if (known !== undefined) return known;
  const fields = [...fieldReaders(request)];
  const inPath = new Set(Object.keys(params ?? {}));
  const at = (place: 'query' | 'body'): Fields =>
    new Map(
      fields.filter(([name]) => !inPath.has(name) && placeOf(request, method, name) === place),
    );
  const found = {
    sources: sourcesOf(request),
    path: new Map(fields.filter(([name]) => inPath.has(name))),
    query: at('query'),
    body: hasBody(method) && !takesWholeBody(request) ? at('body') : undefined,
  };
  routes.set(route, found);
  return found;
}

/** Makes a request of an HTTP request: its caller and identity first, then path, query and body. */
function readRequest(request: RequestClass, http: FastifyRequest, rules: RuleSet): object {
  const { sources, path, query, body } = placesOf(request, http);
  const output = new request() as Record<string, unknown>;
  for (const { field, source } of sources) output[field] = source(http);
  if (path.size > 0) {
    checkText(http.params, 'param');
    readFields(path, http.params, '', rules, output);
  }
  if (query.size > 0 || Object.keys(http.query as object).length > 0) {
    checkText(http.query, 'query');
    const asked = convertQuery(request, http.query as Record<string, unknown>);
    readFields(query, asked, '', rules, output);
  }
  if (body !== undefined) return readFields(body, http.body ?? {}, '', rules, output);
  if (!hasBody(http.method)) refuseBody(http, rules);
  return output;
}

/** Refuses fields in the body of a DELETE, which would have no effect. The token of its identity is read elsewhere (SPEC S2). */
function refuseBody({ body, method }: FastifyRequest, rules: RuleSet): void {
  if (!isRecord(body)) return;
  const field = Object.keys(body).find((key) => key !== 'idempotency_token');
  if (field !== undefined)
    throw new FieldProblem(shownKey(field, rules), `stands in the query string of a ${method}`);
}

const readers = new Map<DtoClass, Read>();

/** Returns the reader of a DTO class, compiled once from its class-validator decorators. */
function readerOf(dto: DtoClass): Read {
  let read = readers.get(dto);
  if (read === undefined) readers.set(dto, (read = compile(dto)));
  return read;
}

/** Converts the numbers, flags and lists of a query string as the DTO declares them. */
function convertQuery(dto: DtoClass, query: Record<string, unknown>): object {
  // Without a prototype, so that `__proto__` is a field like another, and refused.
  const converted = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of Object.entries(query)) {
    const type: unknown = Reflect.getMetadata('design:type', dto.prototype as object, key);
    converted[key] =
      type === Number && typeof value === 'string' && /^-?\d{1,16}$/.test(value)
        ? Number(value)
        : type === Boolean && (value === 'true' || value === 'false')
          ? value === 'true'
          : type === Array && typeof value === 'string'
            ? [value]
            : value;
  }
  return converted;
}

/** Returns what a function reads, or refuses the field that it cannot read. */
const refusing = (read: () => object, rules: RuleSet): object => {
  try {
    return read();
  } catch (problem) {
    if (!(problem instanceof FieldProblem)) throw problem;
    const { message: reason, path, rule, command } = problem;
    const logged = { field: clearText(path, rules), rule };
    throw Refusal.ofCommand(new Refusal('INVALID_INPUT', { reason }, undefined, logged), command);
  }
};

/** Applies the strict JSON parser's checks to the values of a query string or path. */
const checkText = (value: unknown, from: string): void => {
  const reason = uncarriable(value ?? null);
  if (reason !== undefined) throw new Refusal('INVALID_INPUT', { reason: `${from}: ${reason}` });
};

/**
 * Makes the request that a controller receives by `@Request()`, or refuses it with INVALID_INPUT and the field's path
 * (SPEC F4). Unknown fields are refused. Values of a body stay unchanged; numbers and
 * flags of a query string are parsed from text.
 * Replaces Nest's ValidationPipe and runs the same class-validator decorators. ValidationPipe takes more than
 * a tenth of the time of a request that stores nothing (apps/api/platform/README.md has the figure), and it drops keys
 * such as `__proto__` and `constructor`, which are data here, before the body is hashed (SPEC I7).
 */
@Injectable()
export class DtoPipe implements PipeTransform<unknown, unknown> {
  constructor(@Inject(PRIVACY_RULES) private readonly rules: RuleSet) {}

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (value instanceof Received)
      return refusing(
        () => readRequest(metatype as RequestClass, value.http, this.rules),
        this.rules,
      );
    // Nobody checks what a controller takes by another decorator, such as @Body.
    if (type !== 'custom') throw new TypeError(`A controller takes its ${type} by @Request()`);
    return value;
  }
}
