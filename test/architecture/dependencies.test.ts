import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

interface Cruised {
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly { readonly resolved: string }[];
  }[];
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
  };
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = ['apps', 'libs', 'projections', 'test', 'bench'];

async function cruise(): Promise<Cruised> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      ...['--config', '.dependency-cruiser.cjs', '--output-type', 'json'],
      ...folders,
    ],
    { cwd: root, maxBuffer: 256 * 1024 * 1024 },
  );
  return JSON.parse(stdout) as Cruised;
}

/** Returns the room of a file: a folder of apps/api, or apps/api itself; undefined for other files. */
function roomOf(path: string): string | undefined {
  const [app, api, folder, file] = path.split('/');
  if (app !== 'apps' || api !== 'api') return undefined;
  return file === undefined ? 'apps/api' : folder;
}

/** Returns the arrows between rooms that remain after those of the lowest and of the highest rooms are removed. */
function circling(arrows: readonly (readonly [string, string])[]): readonly string[] {
  const from = new Set(arrows.map(([room]) => room));
  const to = new Set(arrows.map(([, room]) => room));
  const rest = arrows.filter(([above, below]) => to.has(above) && from.has(below));
  return rest.length < arrows.length
    ? circling(rest)
    : rest.map(([above, below]) => `${above} → ${below}`);
}

describe('Dependencies point one way', () => {
  let cruised: Cruised;
  beforeAll(async () => {
    cruised = await cruise();
  });

  test('no import breaks a rule of .dependency-cruiser.cjs', () => {
    expect(
      cruised.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
    ).toStrictEqual([]);
  });

  test('the rooms of apps/api have an order: no room leads back to a room that uses it', () => {
    const arrows = new Map<string, readonly [string, string]>();
    for (const { source, dependencies } of cruised.modules)
      for (const { resolved } of dependencies) {
        const [above, below] = [roomOf(source), roomOf(resolved)];
        if (above === undefined || below === undefined || above === below) continue;
        arrows.set(`${above} ${below}`, [above, below]);
      }
    expect(arrows.size).toBeGreaterThan(50);
    expect(circling([...arrows.values()])).toStrictEqual([]);
  });

  test('every import, even a subpath import, resolves to a source file', () => {
    const arrows = cruised.modules.flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }) => `${source} → ${resolved}`),
    );
    expect(arrows).toContain('libs/event-store/event-store.ts → libs/domain/json.ts');
    expect(arrows).toContain('libs/read-model/projection.ts → libs/event-store/event-store.ts');
    expect(
      arrows.filter((arrow) => arrow.includes('→ dist/') || arrow.includes('→ #')),
    ).toStrictEqual([]);
  });
});
