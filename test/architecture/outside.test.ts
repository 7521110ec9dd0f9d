import { expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The modules that open connections or accept them, and packages that ask a service by a client of their own. */
const NETWORK =
  /^(node:)?(http|https|http2|net|tls|dgram)$|^(undici|axios|got|ws|ioredis|redis|pg|openid-client|@aws-sdk\/.*|@smithy\/.*|@grpc\/.*|@eventstore\/.*)$/;

const DATABASE = 'it speaks to the event store of the installation';
const NODE = 'it is the embedded event store, or copies one';
const OWN_SERVICE = 'it asks the service itself';

/** What may open connections, each file or folder with the reason. Nothing else may. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'libs/bounded/outside.ts': 'it is the bounded client for services outside',
  'libs/artifacts/s3-client.ts': 'its requests pass the bounded client (s3-requests.ts)',
  'libs/artifacts/s3-artifacts.ts': 'it names the requests of that client',
  'libs/checkpoints/s3-checkpoints.ts': 'it names the requests of that client',
  'apps/api/platform/auth/token-verifier.ts': 'it gets keys by the bounded client',
  'apps/api/main.ts': 'it looks whether its own port is free',
  'libs/event-store/': DATABASE,
  'libs/embedded/': NODE,
  'libs/read-model/postgres.ts': 'it speaks to the Postgres of the installation',
  'apps/api/platform/cache/redis-link.ts': 'it speaks to the Redis of the installation',
  'libs/client/transport.ts': OWN_SERVICE,
  'apps/console/src/session/': OWN_SERVICE,
  'apps/console/src/bundle/use-service-keys.ts': OWN_SERVICE,
  'apps/console/src/jobs/use-check.ts': OWN_SERVICE,
};

/** The names of a module that neither open nor accept a connection. */
const HARMLESS = new Set(['isIP', 'isIPv4', 'isIPv6', 'BlockList']);

/** Returns what a file uses of the network. */
function usesIn(file: ts.SourceFile): string[] {
  const uses: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      if (NETWORK.test(node.moduleSpecifier.text) && !isHarmless(node.importClause))
        uses.push(`imports ${node.moduleSpecifier.text}`);
      return;
    }
    if (ts.isIdentifier(node) && node.text === 'createRemoteJWKSet')
      uses.push('reads published keys');
    if (ts.isCallExpression(node)) {
      const { expression, arguments: given } = node;
      const [first] = given;
      const isImport = expression.kind === ts.SyntaxKind.ImportKeyword;
      if (isImport && first && ts.isStringLiteral(first) && NETWORK.test(first.text))
        uses.push(`imports ${first.text}`);
      if (/^((globalThis|global|window|self)\.)?fetch$/.test(expression.getText(file)))
        uses.push('calls fetch');
    }
    if (
      ts.isNewExpression(node) &&
      /^(WebSocket|EventSource|XMLHttpRequest)$/.test(node.expression.getText(file))
    )
      uses.push(`makes a ${node.expression.getText(file)}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return uses;
}

/** True for an import of types, or of names that open no connection. */
function isHarmless(clause: ts.ImportClause | undefined): boolean {
  if (clause?.isTypeOnly === true) return true;
  const names = clause?.namedBindings;
  if (clause?.name !== undefined || names === undefined || !ts.isNamedImports(names)) return false;
  return names.elements.every(({ isTypeOnly, name }) => isTypeOnly || HARMLESS.has(name.text));
}

async function usesOfTheNetwork(): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  const libraries = (await readdir(join(root, 'libs'))).filter((name) => name !== 'adapters');
  for (const folder of ['apps', 'projections', ...libraries.map((name) => join('libs', name))])
    for (const path of await readdir(join(root, folder), { recursive: true })) {
      if (!/\.tsx?$/.test(path)) continue;
      if (/node_modules|\.test\.|\.d\.ts$|(?:^|\/)(?:test|testing|dist)\//.test(path)) continue;
      const file = join(folder, path);
      const text = await readFile(join(root, file), 'utf8');
      const uses = usesIn(ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true));
      if (uses.length > 0) found.set(file, uses);
    }
  return found;
}

test('nothing in the product opens a connection but the bounded client and the exceptions that are named here', async () => {
  const found = await usesOfTheNetwork();
  const exceptionFor = (file: string): string | undefined =>
    Object.keys(EXCEPTIONS).find((path) =>
      path.endsWith('/') ? file.startsWith(path) : file === path,
    );
  const others = [...found].filter(([file]) => exceptionFor(file) === undefined);
  expect(others).toStrictEqual([]);
  const used = new Set([...found.keys()].map(exceptionFor));
  expect(Object.keys(EXCEPTIONS).filter((path) => !used.has(path))).toStrictEqual([]);
});
