import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, realpathSync } from 'node:fs';
import { Command } from 'commander';
import { COMMANDS } from '#apps/cli/commands.js';
import { TestService } from '../support/service.js';
import { TEST_KEYS } from '../support/test-keys.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { mace } from '#test/support/cli-run.js';

const NOWHERE = 'esdb://127.0.0.1:1?tls=false';
const UNKNOWN = '1b671a64-40d5-491e-99b0-da01ff1f3341';

/** Usual calls of each command. */
const CALLS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  demo: [['--json']],
  sample: [['--remove'], ['--remove', '--json']],
  token: [['--role', 'agent', '--sub', 'a']],
  login: [[]],
  logout: [[]],
  console: [['--role', 'council', '--sub', 'a', '--no-open']],
  mcp: [[]],
  import: [['runs.jsonl']],
  remember: [['word']],
  recall: [[], ['word']],
  forget: [[UNKNOWN], ['--all']],
  search: [['word']],
  at: [['2026-01-01T00:00Z']],
  evaluate: [['conversations.jsonl'], ['conversations.jsonl', '--url', 'http://127.0.0.1:1']],
  replay: [['--all'], ['a']],
  export: [['--all', '--out', 'bundles']],
  verify: [['a.ndjson'], ['--log'], ['--reflective'], ['--log', '--event-store', NOWHERE]],
  keys: [[], ['--out', 'keys.json']],
  checkpoint: [
    ['--out', 'checkpoint'],
    ['--out', 'checkpoint', '--event-store', NOWHERE],
  ],
  rebuild: [['sem']],
  'queue list': [[]],
  'queue retry': [[UNKNOWN]],
  retention: [[], ['--request']],
  'copy-log': [['--from', NOWHERE, '--to', NOWHERE]],
  backup: [['--out', 'backup']],
  restore: [['backup', '--data-dir', 'data']],
  'event-store setup': [['--url', NOWHERE, '--user', 'mace']],
};
/** Those that need no service, or start one of their own, elsewhere. */
const DONE_ALONE = new Set(['demo', 'logout']);
/** Those whose token comes from the data directory. */
const WITH_TOKEN = [
  ...['token', 'console', 'mcp', 'search', 'replay', 'export', 'rebuild', 'queue list'],
  ...['queue retry', 'retention', 'sample', 'remember', 'recall', 'forget'],
];

/** The full name of each command that does something: a group of commands does nothing itself. */
async function commandNames(): Promise<string[]> {
  const program = new Command('mace');
  for (const load of COMMANDS.values()) (await load())(program);
  return program.commands.flatMap((command) =>
    command.commands.length === 0
      ? command.name()
      : command.commands.map((each) => `${command.name()} ${each.name()}`),
  );
}

describe('A command in an empty folder', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service?.stop());

  /** Runs each call of a command in an empty folder, and returns how it ended and which files it left. */
  async function ended(name: string, environment: Record<string, string>) {
    const results = [];
    for (const args of CALLS[name] ?? []) {
      const folder = temporaryFolder('cli-empty');
      const path = realpathSync(folder.path);
      const result = await mace([...name.split(' '), ...args], environment, path);
      results.push({ ...result, path, files: readdirSync(path) });
      folder.remove();
    }
    return results;
  }

  it('every command has a call in this test', async () => {
    expect((await commandNames()).sort()).toStrictEqual(Object.keys(CALLS).sort());
  });

  for (const name of Object.keys(CALLS)) {
    it(`mace ${name} creates nothing there`, async () => {
      for (const { code, files, stderr } of await ended(name, {})) {
        expect([stderr, files]).toStrictEqual([stderr, []]);
        expect([stderr, code === 0]).toStrictEqual([stderr, DONE_ALONE.has(name)]);
        // The message has no stack trace.
        expect(stderr).not.toMatch(/\n\s+at /);
      }
    });
  }

  for (const name of WITH_TOKEN) {
    it(`mace ${name} says in which directory it looked for keys, and what to do`, async () => {
      for (const { code, stdout, stderr, path } of await ended(name, {})) {
        expect([code, stdout]).toStrictEqual([2, '']);
        expect(stderr).toContain(`no data directory with keys at ${path}/.mace`);
        expect(stderr).toMatch(/npm start.*MACE_DATA_DIR.*MACE_JWT_SECRET/);
      }
    });

    it(`mace ${name} needs no directory if MACE_JWT_SECRET is set`, async () => {
      const { MACE_JWT_SECRET } = TEST_KEYS;
      const environment = { MACE_JWT_SECRET, MACE_URL: service.url };
      for (const { stderr, files } of await ended(name, environment)) {
        expect(stderr).not.toMatch(/MACE_DATA_DIR|UNAUTHENTICATED|cannot be reached/);
        expect(files.filter((file) => file !== 'bundles')).toStrictEqual([]);
      }
    });
  }
});
