// Writes the types of the SDK from the service's OpenAPI document, docs/authorisation.md, and the table in docs/mcp.md:
//   node scripts/generate-client.mjs [openapi.json [target]]
// With a file, only the types are written. Without a file, the document is made from the decorators alone, in Nest's preview mode, which starts
// nothing.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const [described, target = fileURLToPath(new URL('../libs/client/api.ts', import.meta.url))] =
  process.argv.slice(2);

async function describeHere() {
  const app = await previewed();
  const { openApiOf } = await import('../dist/apps/api/platform/openapi.js');
  const { authorisationPage, routeTable } =
    await import('../dist/apps/api/platform/auth/route-table.js');
  const { withToolsTable } = await import('../dist/libs/mcp/tools-table.js');
  await writePage('authorisation.md', authorisationPage(routeTable(app)));
  await writePage('mcp.md', withToolsTable(await readFile(pathOf('mcp.md'), 'utf8')));
  return openApiOf(app);
}

const pathOf = (name) => fileURLToPath(new URL(`../docs/${name}`, import.meta.url));

/** Writes a page of docs in the form that the repository's formatter gives it. */
async function writePage(name, page) {
  const path = pathOf(name);
  await writeFile(path, await format(page, { ...(await resolveConfig(path)), filepath: path }));
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

const document =
  described === undefined ? await describeHere() : JSON.parse(await readFile(described, 'utf8'));

const types = await openapiTS(neededOf(document), {
  immutable: true,
  inject: "import type { Json, JsonObject } from './json.js';\n",
  transform: (_schema, { path }) => {
    const json = /^#\/components\/schemas\/(Json|JsonObject)$/.exec(path)?.[1];
    return json === undefined ? undefined : ts.factory.createTypeReferenceNode(json);
  },
});
const head = '// Made by `npm run generate:client` from openapi.json: do not edit.\n';
await writeFile(target, head + astToString(types));
