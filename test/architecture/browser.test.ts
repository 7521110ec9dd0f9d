import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import type { BundleReport, SignatureCheck } from '#domain/replay/verify-bundle.js';
import { ensure } from '#test/support/ensure.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = `${ROOT}/libs/domain`;

/**
 * The script of an example page for auditors. It imports the verification of a bundle and the job
 * decider.
 */
const PAGE = `
  import { jobDecider } from './job/decider.js';
  import { verifyBundle } from './replay/verify-bundle.js';
  export const verify = (lines, check) => verifyBundle(jobDecider, lines, check);
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

  /** Runs the page without the Node API: it has only JavaScript, TextEncoder and TextDecoder. */
  const verified = async (
    lines: readonly string[],
    check?: SignatureCheck,
  ): Promise<BundleReport> => {
    const browser = createContext({ TextEncoder, TextDecoder, lines, check });
    return (await runInContext(`${script}; page.verify(lines, check)`, browser)) as BundleReport;
  };

  test('X4 an exported bundle can be verified in a browser', async () => {
    const { intact, replay } = await verified(LINES);
    expect(intact).toBe(true);
    ensure(replay?.identical === true);
    expect(replay.events_checked).toBe(LINES.length - 1);
  });

  test('X4 the verification in a browser names an edited event', async () => {
    const edited = LINES.with(5, (LINES[5] ?? '').replace(/"actor":"[^"]*"/, '"actor":"mallory"'));
    expect(edited[5]).not.toBe(LINES[5]);
    const { intact, finding } = await verified(edited);
    expect(intact).toBe(false);
    expect({ ...finding }).toStrictEqual({ problem: 'edited', line: 6, number: 4 });
  });

  test('X4 the page hands in the check of the signature, and the report has what the check finds', async () => {
    expect((await verified(LINES, () => undefined)).intact).toBe(true);
    const { intact, finding } = await verified(LINES, async () => Promise.resolve('unsigned'));
    expect(intact).toBe(false);
    expect({ ...finding }).toStrictEqual({ problem: 'unsigned', line: 1 });
  });

  test('the build rejects a page that imports a Node module', async () => {
    await expect(
      bundled(`import { hash } from 'node:crypto'; hash('sha256', '');`),
    ).rejects.toThrow(/Could not resolve "node:crypto"/);
  });
});
