import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, getSchemaPath, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ERROR_TABLE, type ErrorCode } from '#domain/errors/error-table.js';
import { ErrorEnvelopeDto } from './errors/error-envelope.dto.js';
import { ROLES_FIELD, type RouteRoles } from './auth/roles.js';
import { type RouteEntry, rolesSentence, routeTable } from './auth/route-table.js';
import { IDEMPOTENCY_KEY } from './http/identity.js';
import {
  ERROR_CODES_FIELD,
  usedAs,
  hasBody,
  placeOf,
  type RequestClass,
  takesWholeBody,
} from './http/request.js';
import { AT } from './http/fields.js';
import { JSON_SCHEMAS } from './http/answer-fields.js';
import { VERSION } from './version.js';

const DESCRIPTION = `Event-sourced memory for agent runtimes: every change is an event, every replay comes out identical.

Every write answers \`Mace-Position\`; a read with \`Mace-Min-Position\` waits for it. Any POST or PUT takes an
\`Idempotency-Key\`. Every error has the same envelope: error_code, status, severity, user_message,
developer_message and meta (query_id, timestamp, trace_id, and help if the request can be put right).`;

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type SchemaOf = Exclude<Schemas[string], { $ref: string }>;
type Responses = Operation['responses'];
type Answer = Extract<Responses[string], { description: string }>;

/** The codes that every route can return. */
const COMMON_CODES: readonly ErrorCode[] = [
  'INVALID_INPUT',
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'RATE_LIMITED',
  'PROJECTION_LAG',
  'READ_UNAVAILABLE',
  'INTERNAL',
];
const WRITE_CODES: readonly ErrorCode[] = [
  'VERSION_CONFLICT',
  'IDEMPOTENCY_MISMATCH',
  'STORAGE_FULL',
];

const text = (description: string, pattern?: RegExp) => ({
  description,
  schema: {
    type: 'string' as const,
    ...(pattern === undefined ? {} : { pattern: pattern.source }),
  },
});

const HEADERS = {
  'Mace-Query-Id': text('The id of this request.'),
  'Mace-Trace-Id': text('The trace id from the caller’s `traceparent`, or a new one.'),
};
const POSITION_HEADER = {
  'Mace-Position': text('The commit position of the last event of the write.', /^\d+$/),
};
const STALE_HEADER = {
  'Mace-Stale': text(
    '`true` if the event store was unreachable, so that the answer may be outdated.',
  ),
};
const AS_OF_HEADER = {
  'Mace-As-Of': text('The position that `at` stood for.', /^\d+$/),
};
const RATE_LIMITED = ERROR_TABLE.RATE_LIMITED.status;
const RETRY_HEADER = {
  'Retry-After': text('The seconds after which the caller may send requests again.', /^\d+$/),
};
const takesTime = ({ parameters = [] }: Operation): boolean =>
  parameters.some((parameter) => 'name' in parameter && parameter.name === AT);

const isWrite = ({ parameters = [] }: Operation): boolean =>
  parameters.some((parameter) => 'name' in parameter && parameter.name === IDEMPOTENCY_KEY);

const writeFailure = (path: string): ErrorCode =>
  path.startsWith('/v1/sem') ? 'SEM_WRITE_FAIL' : 'MEMORY_WRITE_FAIL';

/** Returns one response for each status; its description names all codes with this status. */
function failures(codes: readonly ErrorCode[]): Responses {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERROR_TABLE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, sharing]) => [
      String(status),
      {
        description: sharing
          .map((code) => `${code}: ${ERROR_TABLE[code].developer_message}`)
          .join('\n\n'),
        headers: { ...HEADERS, ...(status === RATE_LIMITED ? RETRY_HEADER : {}) },
        content: { 'application/json': { schema: { $ref: getSchemaPath(ErrorEnvelopeDto) } } },
      },
    ]),
  );
}

/** Adds the parts that the decorators of one route cannot express: roles as a sentence, failures and headers. */
function complete(path: string, method: string, operation: Operation): void {
  const fields = operation as Operation & {
    [ERROR_CODES_FIELD]?: readonly ErrorCode[];
    [ROLES_FIELD]?: RouteRoles;
  };
  const own = fields[ERROR_CODES_FIELD] ?? [];
  const roles = fields[ROLES_FIELD];
  if (roles !== undefined)
    operation.description = [operation.description, rolesSentence(roles)]
      .filter(Boolean)
      .join('\n\n');
  const write = isWrite(operation);
  const codes = new Set([
    ...own,
    ...COMMON_CODES,
    ...(write ? [...WRITE_CODES, writeFailure(path)] : []),
  ]);
  fields[ERROR_CODES_FIELD] = [...codes];
  for (const answer of Object.values(operation.responses) as Answer[])
    answer.headers = {
      ...HEADERS,
      ...(write ? POSITION_HEADER : {}),
      ...(method === 'get' ? STALE_HEADER : {}),
      ...(takesTime(operation) ? AS_OF_HEADER : {}),
    };
  operation.responses = { ...operation.responses, ...failures([...codes]) };
}

/** Describes the fields of a request where an HTTP request has them: in the path, the query string, or the body. */
function describeFields(
  { paths, components }: OpenAPIObject,
  { path, method, request }: RouteEntry,
) {
  const operation = paths[path]?.[method.toLowerCase() as 'get'];
  const schemas = components?.schemas ?? {};
  const { name } = request as RequestClass;
  const whole = schemas[name] as SchemaOf;
  if (operation === undefined || request === undefined) return;
  const body: SchemaOf['properties'] = {};
  for (const [field, schema] of Object.entries(whole.properties ?? {})) {
    const isInPath = path.includes(`{${field}}`);
    if (!isInPath && placeOf(request, method, field) === 'body') {
      body[field] = schema;
      continue;
    }
    const { description, ...plain } = schema as { description?: string };
    (operation.parameters ??= []).push({
      ...{ name: field, in: isInPath ? 'path' : 'query' },
      required: whole.required?.includes(field) ?? false,
      ...(description === undefined ? {} : { description }),
      schema: plain,
    });
  }
  if (!hasBody(method) || takesWholeBody(request)) {
    delete schemas[name];
    return;
  }
  const required = whole.required?.filter((field) => field in body) ?? [];
  const { required: _, ...rest } = whole;
  schemas[name] = { ...rest, properties: body, ...(required.length === 0 ? {} : { required }) };
  const example = usedAs(request).example;
  const content = {
    'application/json': {
      schema: { $ref: getSchemaPath(name) },
      ...(example === undefined ? {} : { example }),
    },
  };
  operation.requestBody = { required: true, content };
}

/** Marks a body as optional if all its fields are, because the service takes a missing body as `{}`. */
function letBodyBeMissing({ requestBody }: Operation, schemas: Schemas): void {
  if (requestBody === undefined || '$ref' in requestBody) return;
  const schema = requestBody.content['application/json']?.schema;
  const name = schema !== undefined && '$ref' in schema ? schema.$ref.split('/').at(-1) : undefined;
  const fields = schemas[name ?? ''];
  const isOptional = fields !== undefined && !('$ref' in fields) && !fields.required?.length;
  if (isOptional) requestBody.required = false;
}

/** Returns the OpenAPI document of the whole service, which `/openapi.json` serves. */
export function openApiOf(app: INestApplication): OpenAPIObject {
  const page = new DocumentBuilder()
    .setTitle('MACE Memory')
    .setDescription(DESCRIPTION)
    .setVersion(VERSION)
    .addServer('/')
    .addBearerAuth()
    .addSecurityRequirements('bearer')
    .build();
  const requests = routeTable(app).filter((route) => route.request !== undefined);
  const extraModels = [ErrorEnvelopeDto, ...requests.map(({ request }) => request as RequestClass)];
  const document = SwaggerModule.createDocument(app, page, { extraModels });
  Object.assign(document.components?.schemas ?? {}, JSON_SCHEMAS);
  for (const route of requests) describeFields(document, route);
  for (const [path, methods] of Object.entries(document.paths))
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      const operation = methods[method];
      if (operation === undefined) continue;
      complete(path, method, operation);
      letBodyBeMissing(operation, document.components?.schemas ?? {});
    }
  return document;
}

/**
 * Serves `/docs` and `/openapi.json`, built at the first request; the page loads nothing from other hosts.
 */
export function describe(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => openApiOf(app), {
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'MACE Memory',
  });
}
