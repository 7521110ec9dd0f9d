import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import type { BundleReport } from '#domain/replay/verify-bundle.js';
import { ensure } from '#test/support/ensure.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = `${ROOT}/libs/domain`;

/** The script of a page for auditors: it imports the verification of a bundle and the job decider. */
const PAGE = `
  import { jobDecider } from './job/decider.js';
  import { verifyBundle } from './replay/verify-bundle.js';
  export const verify = (lines) => verifyBundle(jobDecider, lines);
`;

const LINES = readFileSync(`${ROOT}/test/golden/streams/job-schema-1.ndjson`, 'utf8')
  .split('\n')
  .slice(0, -1);

/** Bundles the page for a browser. The build fails if the page imports a Node module. */
async function bundled(page: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: page, resolveDir: SOURCES, loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'browser',
    conditions: ['source'],
    format: 'iife',
    globalName: 'page',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

describe('The domain in a browser', () => {
  let script: string;
  beforeAll(async () => {
    script = await bundled(PAGE);
  });

  /** Runs the page without Node: only with JavaScript, TextEncoder and TextDecoder. */
  const verified = async (lines: readonly string[]): Promise<BundleReport> => {
    const browser = createContext({ TextEncoder, TextDecoder, lines });
    return (await runInContext(`${script}; page.verify(lines)`, browser)) as BundleReport;
  };

  test('X4 an exported bundle is verified without Node', async () => {
    const { intact, replay } = await verified(LINES);
    expect(intact).toBe(true);
    ensure(replay?.identical === true);
    expect(replay.events_checked).toBe(LINES.length - 1);
  });

  test('X4 the report names an edited event', async () => {
    const edited = LINES.with(5, (LINES[5] ?? '').replace(/"actor":"[^"]*"/, '"actor":"mallory"'));
    expect(edited[5]).not.toBe(LINES[5]);
    const { intact, finding } = await verified(edited);
    expect(intact).toBe(false);
    expect({ ...finding }).toStrictEqual({ problem: 'edited', line: 6, number: 4 });
  });

  test('the build rejects a page that imports a Node module', async () => {
    await expect(
      bundled(`import { hash } from 'node:crypto'; hash('sha256', '');`),
    ).rejects.toThrow(/Could not resolve "node:crypto"/);
  });
});
