// Writes, from the service's OpenAPI document, the types of the SDK and the names of the fields of its requests, the requests
// of the MCP tools, and then docs/authorisation.md and the table in docs/mcp.md:
//   node scripts/generate-client.mjs [openapi.json [types [requests [fields]]]]
// With a file, the docs are not written. Without a file, the document is made from the decorators alone, in Nest's preview mode, which starts
// nothing.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const pathOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const TOOLS_PAGE = pathOf('docs/mcp.md');
const HEAD = '// Made by `npm run generate:client` from openapi.json: do not edit.\n';

const [
  described,
  target = pathOf('libs/client/api.ts'),
  requestsTarget = pathOf('libs/mcp/requests.ts'),
  fieldsTarget = pathOf('libs/client/request-fields.ts'),
] = process.argv.slice(2);

/** Writes a text in the form that the repository's formatter gives to the file at `path`. */
async function writePage(path, page, target = path) {
  await writeFile(target, await format(page, { ...(await resolveConfig(path)), filepath: path }));
}

async function previewed() {
  const { AppModule } = await import('../dist/apps/api/app.module.js');
  const config = { signingKey: '-', oldSigningKeys: [], dataDir: '-', projections: 'external' };
  const service = AppModule.of(config, {}, undefined, []);
  const options = { preview: true, logger: ['error'], abortOnError: false };
  return NestFactory.create(service, new FastifyAdapter(), options);
}

/** Returns what the SDK needs: the schemas, and the query parameters of each GET. */
function neededOf({ openapi, info, components, paths }) {
  const needed = Object.entries(paths).flatMap(([path, { get }]) => {
    const parameters = get?.parameters.filter((parameter) => parameter.in === 'query') ?? [];
    return parameters.length === 0 ? [] : [[path, { get: { parameters, responses: {} } }]];
  });
  return {
    openapi,
    info,
    components: { schemas: components.schemas },
    paths: Object.fromEntries(needed),
  };
}

/** Returns the schema with the schemas that it names in their places; any JSON has no limits. */
function inlined(schema, schemas) {
  if (Array.isArray(schema)) return schema.map((each) => inlined(each, schemas));
  if (typeof schema !== 'object') return schema;
  const { $ref, allOf: [only] = [], ...rest } = schema;
  const name = $ref?.replace('#/components/schemas/', '');
  if (name === 'Json') return {};
  if (name === 'JsonObject') return { type: 'object', additionalProperties: {} };
  if (name !== undefined) return inlined(schemas[name], schemas);
  const own = Object.entries(rest).map(([key, value]) => [key, inlined(value, schemas)]);
  const isClosed = rest.properties !== undefined && { additionalProperties: false };
  return { ...(only && inlined(only, schemas)), ...Object.fromEntries(own), ...isClosed };
}

const typeOf = ({ type, enum: values, items }) =>
  values?.map((value) => JSON.stringify(value)).join(' | ') ??
  { integer: 'number', array: items && `readonly (${typeOf(items)})[]` }[type] ??
  type;

/** Returns the fields of a route's request, wherever they stand in it: as JSON Schemas, and as a type. */
function requestOf(route, { paths, components: { schemas } }) {
  const [method, path] = route.split(' ');
  const { parameters, requestBody } = paths[path][method.toLowerCase()];
  const given = parameters.filter(({ in: place }) => place === 'path' || place === 'query');
  const reference = requestBody?.content['application/json']?.schema.$ref;
  const body = reference && inlined({ $ref: reference }, schemas);
  const properties = given.map(({ name, schema, description }) => [
    name,
    { ...schema, description },
  ]);
  const fields = given.map(
    ({ name, required, schema }) => `readonly ${name}${required ? '' : '?'}: ${typeOf(schema)}`,
  );
  return {
    schema: {
      properties: { ...Object.fromEntries(properties), ...body?.properties },
      required: [
        ...given.filter(({ required }) => required).map(({ name }) => name),
        ...(body?.required ?? []),
      ],
    },
    type: [
      ...(fields.length === 0 ? [] : [`{ ${fields.join('; ')} }`]),
      ...(body ? [`Schemas['${reference.split('/').pop()}']`] : []),
    ].join(' & '),
  };
}

/** Returns libs/mcp/requests.ts, with a line for each field. */
function requestsModule(requests) {
  const types = requests.map(([route, { type }]) => `  '${route}': ${type};`);
  const schemas = requests.map(
    ([
      route,
      {
        schema: { properties, required },
      },
    ]) => {
      const fields = Object.entries(properties).map(
        ([name, schema]) => `      ${name}: ${JSON.stringify(schema)},\n`,
      );
      return `  '${route}': {
    required: ${JSON.stringify(required)},
    properties: {\n${fields.join('')}    },
  },`;
    },
  );
  return `${HEAD}import type { Schemas } from '#client/schemas.js';

/** The fields of each request that a tool makes: of the path, the query string and the body. */
export interface Requests {
${types.join('\n')}
}

/** The fields of a request, each as a JSON Schema. */
export interface RequestSchema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

export const REQUESTS: Readonly<Record<keyof Requests, RequestSchema>> = {
${schemas.join('\n')}
};
`;
}

/** The objects in options of the SDK whose fields its messages name. */
const NESTED = ['LogAccountDto', 'MemorySettingsDto', 'PhaseDto', 'PolicyDto'];

/** The kinds of the SDK's arguments (libs/client/argument-kinds.ts) whose texts have these patterns. */
const FORMS = {
  '^(user|sub):.': 'owner',
  '^note-[0-9a-f]{64}$': 'noteStream',
  '^sem:[0-9a-f]{64}$': 'snapshotId',
  '^(\\d{1,18}|\\d{4}-.+)$': 'moment',
  '^[a-z_]+(,[a-z_]+)*$': 'typeNames',
  '^[a-z]+(,[a-z]+)*$': 'categoryNames',
};
const LARGEST = 2 ** 31 - 1;

/** Returns what a field of a query string takes, in the form that libs/client/field-words.ts reads; empty for any text. */
function queryKindOf(name, { type, enum: values, format, pattern, minimum, maximum }) {
  if (values !== undefined) return values.join('|');
  if (type === 'boolean') return 'true|false';
  if (type === 'integer') return `${minimum}-${maximum < LARGEST ? maximum : ''}`;
  if (type === 'array') return 'texts';
  if (format === 'date-time') return 'time';
  return name === 'cursor' ? 'cursor' : (FORMS[pattern] ?? '');
}

const fieldOf = (name, isRequired, kind = '') =>
  name + (isRequired ? '!' : '') + (kind === '' ? '' : `:${kind}`);

const fieldsOfSchema = ({ properties = {}, required = [] }, kindOf = () => '') =>
  Object.entries(properties).map(([name, schema]) =>
    fieldOf(name, required.includes(name), kindOf(schema)),
  );

const TYPES = {
  ...{ array: 'list', boolean: 'true|false', integer: 'number', number: 'number' },
  object: 'object',
};

/** Returns what a field of an object takes, in the same form; empty for a text and for any JSON. */
function nestedKindOf({ type, enum: values, $ref, allOf }) {
  const named = $ref ?? allOf?.[0].$ref;
  if (named !== undefined) return named.endsWith('/Json') ? '' : 'object';
  return values?.join('|') ?? TYPES[[type].flat()[0]] ?? '';
}

/** Returns the routes that the SDK names in its sources, such as `POST /v1/jobs`. */
async function routesOfSdk() {
  const folder = pathOf('libs/client/');
  const sources = (await readdir(folder)).filter((name) =>
    /(?<!request-fields|api)\.ts$/.test(name),
  );
  const texts = await Promise.all(sources.map((name) => readFile(folder + name, 'utf8')));
  return new Set(texts.join().match(/(?<=')[A-Z]+ \/v1\/[^']+/g));
}

/** Returns libs/client/request-fields.ts: the fields of each query string of a GET, of the bodies that the SDK names, and of `NESTED`. */
function fieldsModule({ paths, components: { schemas } }, named) {
  const ofRoutes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody }]) => {
      const body = requestBody?.content['application/json']?.schema.$ref?.split('/').pop();
      const query = parameters.filter(({ in: place }) => method === 'get' && place === 'query');
      const fields =
        body === undefined
          ? query.map(({ name, required, schema }) =>
              fieldOf(name, required, queryKindOf(name, schema)),
            )
          : fieldsOfSchema(schemas[body]);
      return [`${method.toUpperCase()} ${path}`, fields];
    }),
  );
  const examples = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const route = `${method.toUpperCase()} ${path}`;
      const { example } = requestBody?.content['application/json'] ?? {};
      return example && named.has(route) ? [`'${route}': ${JSON.stringify(example)},`] : [];
    }),
  );
  const table = [
    ...ofRoutes,
    ...NESTED.map((name) => [name, fieldsOfSchema(schemas[name], nestedKindOf)]),
  ]
    .filter(
      ([name, fields]) => fields.length > 0 && (!/^(?!GET)[A-Z]+ /.test(name) || named.has(name)),
    )
    .map(([name, fields]) => `'${name}': '${fields.join(' ')}',`);
  return `${HEAD}
/**
 * The fields of requests that callers of the SDK fill in, and of objects in them: \`!\` follows the name of a required one,
 * and a colon what a field of a query string takes.
 */
export const REQUEST_FIELDS = {\n${table.join('\n')}\n} as const;

/** Examples of the bodies of some requests. */
export const EXAMPLES: Readonly<Partial<Record<keyof typeof REQUEST_FIELDS, object>>> = {\n${examples.join('\n')}\n};
`;
}

const app = described === undefined ? await previewed() : undefined;
const document =
  app === undefined
    ? JSON.parse(await readFile(described, 'utf8'))
    : (await import('../dist/apps/api/platform/openapi.js')).openApiOf(app);

const types = await openapiTS(neededOf(document), {
  immutable: true,
  inject: "import type { Json, JsonObject } from './json.js';\n",
  transform: (_schema, { path }) => {
    const json = /^#\/components\/schemas\/(Json|JsonObject)$/.exec(path)?.[1];
    return json === undefined ? undefined : ts.factory.createTypeReferenceNode(json);
  },
});
await writeFile(target, HEAD + astToString(types));
await writePage(
  pathOf('libs/client/request-fields.ts'),
  fieldsModule(document, await routesOfSdk()),
  fieldsTarget,
);

const { TOOLS } = await import('../dist/libs/mcp/tools/index.js');
const { REQUESTS } = await import('../dist/libs/mcp/requests.js');
const requests = [...new Set(TOOLS.flatMap(({ routes }) => routes))].map((route) => [
  route,
  requestOf(route, document),
]);
await writeFile(requestsTarget, requestsModule(requests));

if (app !== undefined) {
  const { authorisationPage, routeTable } =
    await import('../dist/apps/api/platform/auth/route-table.js');
  const { withToolsTable } = await import('../dist/libs/mcp/tools-table.js');
  // The tools read their requests when they are shown, and those of the last build are old.
  for (const [route, { schema }] of requests) REQUESTS[route] = schema;
  await writePage(pathOf('docs/authorisation.md'), authorisationPage(routeTable(app)));
  await writePage(TOOLS_PAGE, withToolsTable(await readFile(TOOLS_PAGE, 'utf8')));
}
