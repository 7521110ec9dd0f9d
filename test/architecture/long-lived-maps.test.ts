import { expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The maps and sets of objects and modules that are no `LruMap`, by what bounds them. All others must be bounded by
 * their bytes, because callers choose how many keys there are, and how large.
 */
const BOUNDED_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  'it is the map inside the bounded one': ['libs/bounded/lru-map.ts: #entries'],
  'an entry goes when the work, the connection or the listener ends': [
    'apps/api/events/event-streams.ts: bodies',
    'apps/api/events/recent-events.ts: #waiting',
    'apps/api/platform/shares.ts: taken',
    'apps/api/queries/query-driver.ts: drives',
    'libs/event-store/aggregate-store.ts: #waitingLoads',
    'libs/event-store/append-call.ts: #waiting',
    'libs/event-store/connection.ts: #calls, #retired',
    'libs/event-store/event-store-db.ts: #subscriptions',
    'libs/event-store/turns.ts: #last',
  ],
  'it lives as long as one query, one read or one check of the log': [
    'apps/api/queries/pinned-facts.ts: known',
    'libs/event-store/log-check.ts: #streams',
    'libs/event-store/since-checkpoint.ts: #awaited, #new, #reached',
    'projections/search/index-read.ts: blocks, containers, labels',
  ],
  'it lives as long as one slice of the log': [
    'projections/obligations/job-requests.ts: lastOf, listedOf, made',
    'projections/obligations/pending-obligations.ts: added, fallenDue, settled',
    'projections/search/search-changes.ts: alive, claims, endings, erased, jobs, newJobs',
  ],
  'the program names the keys: its classes, statements and read models, and its own listeners': [
    'apps/api/platform/http/dto.pipe.ts: places, readers',
    'libs/read-model/leader-locks.ts: locks, unwanted',
    'libs/read-model/leadership.ts: compared, feeds, rebuilds, retired',
    'libs/read-model/position-watch.ts: known, waiters, waitingListeners',
    'libs/read-model/postgres.ts: lossListeners, names',
    'libs/read-model/leader-pause.ts: urgent',
    'libs/read-model/row-macs.ts: listeners',
    'libs/read-model/projection-runner.ts: failures',
  ],
  'the fold counts it in its size': ['libs/event-store/stream-fold.ts: #earlier, #taken'],
  'its blocks have one size, and it takes no more when it is full': [
    'projections/episodes/block-cache.ts: blocksByNumber',
  ],
  'it refuses more than a thousand links': ['apps/api/console/sign-in-links.ts: open'],
  'it takes at most fifty short keys a round, and forgets them after two minutes': [
    'apps/api/process-managers/obligation-worker.ts: pauses',
  ],
};

/**
 * Folders without a map that lives as long as the service. A CLI command ends. The console, the SDK and the embedded
 * event store run in other processes. The object that keeps a domain object measures it.
 */
const NOT_THE_SERVICE = /^(?:apps\/(?:cli|console)|libs\/(?:client|adapters|domain|embedded))\//;

const isNewMap = (node: ts.Node | undefined): boolean =>
  node !== undefined &&
  ts.isNewExpression(node) &&
  ts.isIdentifier(node.expression) &&
  ['Map', 'Set'].includes(node.expression.text);

const isFieldOfThis = (node: ts.Node): node is ts.PropertyAccessExpression =>
  ts.isPropertyAccessExpression(node) && node.expression.kind === ts.SyntaxKind.ThisKeyword;

/** Returns the names of the fields and module variables of a file that are maps or sets and may change. */
function mutableMapsIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const names = new Set<string>();
  const readonly = new Set<string>();
  const visit = (node: ts.Node): void => {
    const isOfModule = ts.isVariableDeclaration(node) && node.parent.parent.parent === source;
    if (isOfModule || ts.isPropertyDeclaration(node)) {
      const name = node.name.getText();
      if (/^Readonly(?:Map|Set)/.test(node.type?.getText() ?? '')) readonly.add(name);
      else if (isNewMap(node.initializer)) names.add(name);
    }
    if (ts.isBinaryExpression(node) && isNewMap(node.right) && isFieldOfThis(node.left))
      names.add(node.left.name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...names].filter((name) => !readonly.has(name)).sort();
}

async function mutableMaps(): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ['apps', 'libs', 'projections'])
    for (const path of await readdir(join(root, folder), { recursive: true })) {
      const file = join(folder, path);
      if (!file.endsWith('.ts') || file.endsWith('.d.ts') || NOT_THE_SERVICE.test(file)) continue;
      const names = mutableMapsIn(file, await readFile(join(root, file), 'utf8'));
      if (names.length > 0) found.push(`${file}: ${names.join(', ')}`);
    }
  return found.sort();
}

test('a map that outlives a call is bounded by its bytes, or the list says what bounds it', async () => {
  expect(await mutableMaps()).toStrictEqual(Object.values(BOUNDED_OTHERWISE).flat().sort());
});
