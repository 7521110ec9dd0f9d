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
