import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jwtVerify } from 'jose';
import { COMMANDS } from '#apps/cli/commands.js';
import { TEST_KEYS } from '../support/test-keys.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { mace } from '#test/support/cli-run.js';

/** `mcp` speaks a protocol of its own. */
const WITHOUT_JSON = new Set(['mcp']);
const SECRET = 'cli:Hs7Kw2mZq9Xv4Rt1Yb8Nc3Lp6Jd5Gf0A';
const NOBODY = 'http://127.0.0.1:1';

describe('The command line without a service', () => {
  const folder = temporaryFolder('cli');
  const at = (...names: string[]): string => join(folder.path, ...names);
  const env = { MACE_DATA_DIR: at('data') };
  afterAll(() => folder.remove());

  it('mace lists its commands, with an example for each', async () => {
    const { code, stdout } = await mace(['--help']);
    expect(code).toBe(0);
    for (const command of COMMANDS.keys())
      expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    for (const command of COMMANDS.keys()) {
      const help = await mace([command, '--help']);
      expect(help.code).toBe(0);
      expect(help.stdout).toMatch(/Examples?[^]*mace /);
      if (!WITHOUT_JSON.has(command)) expect(help.stdout).toMatch(/--json/);
    }
  });

  it('mace --version prints the version', async () => {
    expect(await mace(['--version'])).toStrictEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
  });

  it('mace exits with code 2 if its arguments are wrong', async () => {
    const wrong = [
      ['nonsense'],
      ['token', '--sub', 'a'],
      ['token', '--role', 'king', '--sub', 'a'],
      ['console', '--sub', 'a'],
      ['console', '--role', 'king', '--sub', 'a'],
      ['console', '--role', 'council', '--sub', 'a', '--url', 'nowhere'],
      ['replay'],
      ['replay', 'a', '--all'],
      ['export', 'a'],
      ['import', at('missing.jsonl')],
      ['import', at('missing.jsonl'), '--concurrency', '0'],
      ['search'],
      ['search', 'word', '--kind', 'dream'],
      ['search', 'word', '--limit', '101'],
      ['search', 'word', '--ranking-version', '99'],
      ['evaluate', at('missing.jsonl')],
      ['evaluate', at('missing.jsonl'), '--ranking', 'none'],
      ['verify', at('missing.ndjson')],
      ['verify', '--decisions'],
      ['verify', '--event-store', 'esdb://127.0.0.1:1?tls=false'],
      ['verify', '--log', '--event-store', 'nowhere'],
      ['replay', 'a', '--url', 'ftp://elsewhere'],
      ['copy-log', '--from', 'nowhere', '--to', 'nowhere'],
      ['backup'],
      ['restore', at('missing'), '--data-dir', at('new')],
      ['restore', at('missing')],
      ['checkpoint', '--out', at('checkpoint')],
    ];
    for (const args of wrong) {
      const { code, stdout, stderr } = await mace(args, env);
      expect([`mace ${args.join(' ')}`, code]).toStrictEqual([`mace ${args.join(' ')}`, 2]);
      expect(stdout).toBe('');
      expect(stderr).not.toBe('');
      // The message has no stack trace.
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });

  it('mace token prints only a token, which is signed with MACE_JWT_SECRET', async () => {
    const args = ['token', '--role', 'agent', 'council', '--sub', 'a-1', '--user-id', 'Tuff'];
    const { code, stdout, stderr } = await mace(args, { MACE_JWT_SECRET: SECRET });
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const { payload } = await jwtVerify(stdout.trim(), new TextEncoder().encode(SECRET));
    expect(payload.sub).toBe('a-1');
    expect(payload['roles']).toStrictEqual(['agent', 'council']);
    expect(payload['user_id']).toBe('Tuff');
    expect(payload.exp ?? 0).toBeGreaterThan(payload.iat ?? 0);
  });

  it('mace token names the audience and the issuer that the service requires', async () => {
    const { stdout } = await mace(['token', '--role', 'user', '--sub', 'u'], {
      MACE_JWT_SECRET: SECRET,
      MACE_JWT_AUDIENCE: 'memory',
      MACE_JWT_ISSUER: 'https://issuer.test',
    });
    const { payload } = await jwtVerify(stdout.trim(), new TextEncoder().encode(SECRET));
    expect(payload).toMatchObject({ aud: 'memory', iss: 'https://issuer.test' });
  });

  it('mace token refuses a weak secret', async () => {
    const { code, stdout, stderr } = await mace(['token', '--role', 'user', '--sub', 'u'], {
      MACE_JWT_SECRET: 'secret',
    });
    expect([code, stdout]).toStrictEqual([4, '']);
    expect(stderr).toMatch(/MACE_JWT_SECRET/);
  });

  it('mace exits with code 4 if a setting is wrong, and names it', async () => {
    const wrong: readonly (readonly [readonly string[], string, string])[] = [
      [['console', '--role', 'council', '--sub', 'a'], 'MACE_URL', 'nowhere'],
      [['checkpoint', '--out', at('checkpoint')], 'MACE_BUNDLE_KEY', 'no key'],
      [['checkpoint', '--out', at('checkpoint')], 'MACE_EVENTSTORE_URL', 'nowhere'],
      [['import', at('one.jsonl')], 'MACE_PRIVACY_REGIONS', 'nowhere'],
    ];
    writeFileSync(at('one.jsonl'), '{"job_seed":"a","messages":[]}\n');
    for (const [args, name, value] of wrong) {
      const environment = { ...TEST_KEYS, [name]: value };
      const { code, stdout, stderr } = await mace(args, environment);
      expect([name, code, stdout, stderr]).toStrictEqual([name, 4, '', stderr]);
      expect(stderr).toContain(name);
      // The message has no stack trace.
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });

  it('mace exits with code 2 if the service cannot be reached', async () => {
    const file = at('one.jsonl');
    writeFileSync(file, '{"job_seed":"a","messages":[{"role":"user","content":"Hi"}]}\n');
    for (const args of [
      ['replay', 'a'],
      ['replay', '--all'],
      ['export', '--all', '--out', at('out')],
      ['import', file],
      ['rebuild', 'sem'],
      ['search', 'word'],
    ]) {
      const environment = { MACE_JWT_SECRET: SECRET };
      const { code, stderr } = await mace([...args, '--url', NOBODY], environment);
      expect([`mace ${args.join(' ')}`, code]).toStrictEqual([`mace ${args.join(' ')}`, 2]);
      expect(stderr).toMatch(/cannot be reached/);
      // The message has no stack trace.
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });

  it('mace verify reports a file that is not a bundle as broken, and an empty folder as an error', async () => {
    writeFileSync(at('other.ndjson'), 'hello\n');
    const broken = await mace(['verify', at('other.ndjson')]);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/BROKEN/);
    mkdirSync(at('empty'));
    expect((await mace(['verify', at('empty')])).code).toBe(2);
  });
});
