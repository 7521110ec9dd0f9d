import assert from 'node:assert/strict';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { jwtVerify } from 'jose';
import { temporaryFolder } from '../support/temporary-folder.js';
import { mace } from './cli-run.js';

const COMMANDS = ['demo', 'token', 'import', 'replay', 'export', 'verify', 'rebuild', 'copy-log'];
const SECRET = 'cli:Hs7Kw2mZq9Xv4Rt1Yb8Nc3Lp6Jd5Gf0A';
const NOBODY = 'http://127.0.0.1:1';

describe('The command line, without a service,', () => {
  const folder = temporaryFolder('cli');
  const at = (...names: string[]): string => join(folder.path, ...names);
  const env = { MACE_DATA_DIR: at('data') };
  after(() => folder.remove());

  it('lists its commands, and shows an example with each', async () => {
    const { code, stdout } = await mace(['--help']);
    assert.equal(code, 0);
    for (const command of COMMANDS) assert.match(stdout, new RegExp(`^  ${command} `, 'm'));
    for (const command of COMMANDS) {
      const help = await mace([command, '--help']);
      assert.equal(help.code, 0);
      assert.match(help.stdout, /Examples?[^]*mace /);
      assert.match(help.stdout, /--json/);
    }
  });

  it('ends with exit code 2 when it is used wrongly', async () => {
    const wrong = [
      ['nonsense'],
      ['token', '--sub', 'a'],
      ['token', '--role', 'king', '--sub', 'a'],
      ['replay'],
      ['replay', 'a', '--all'],
      ['export', 'a'],
      ['import', at('missing.jsonl')],
      ['import', at('missing.jsonl'), '--concurrency', '0'],
      ['verify', at('missing.ndjson')],
      ['replay', 'a', '--url', 'ftp://elsewhere'],
      ['copy-log', '--from', 'nowhere', '--to', 'nowhere'],
    ];
    for (const args of wrong) {
      const { code, stdout, stderr } = await mace(args, env);
      assert.equal(code, 2, `mace ${args.join(' ')}`);
      assert.equal(stdout, '');
      assert.notEqual(stderr, '');
      assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
    }
  });

  it('prints a token and nothing else, made with MACE_JWT_SECRET', async () => {
    const args = ['token', '--role', 'agent', 'council', '--sub', 'a-1', '--user-id', 'Tuff'];
    const { code, stdout, stderr } = await mace(args, { MACE_JWT_SECRET: SECRET });
    assert.equal(code, 0);
    assert.equal(stderr, '');
    assert.match(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const { payload } = await jwtVerify(stdout.trim(), new TextEncoder().encode(SECRET));
    assert.equal(payload.sub, 'a-1');
    assert.deepEqual(payload['roles'], ['agent', 'council']);
    assert.equal(payload['user_id'], 'Tuff');
    assert.ok((payload.exp ?? 0) > (payload.iat ?? 0));
  });

  it('keeps the secret in the data dir, for its owner alone, where none is given', async () => {
    const { code, stdout } = await mace(['token', '--role', 'user', '--sub', 'u'], env);
    assert.equal(code, 0);
    assert.notEqual(stdout, '');
    assert.equal(statSync(at('data', 'keys.json')).mode & 0o777, 0o600);
  });

  it('refuses a weak secret', async () => {
    const { code, stdout, stderr } = await mace(['token', '--role', 'user', '--sub', 'u'], {
      MACE_JWT_SECRET: 'secret',
    });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /MACE_JWT_SECRET/);
  });

  it('ends with exit code 2 when the service cannot be reached', async () => {
    const file = at('one.jsonl');
    writeFileSync(file, '{"job_seed":"a","messages":[{"role":"user","content":"Hi"}]}\n');
    for (const args of [
      ['replay', 'a'],
      ['replay', '--all'],
      ['export', '--all', '--out', at('out')],
      ['import', file],
      ['rebuild', 'sem'],
    ]) {
      const { code, stderr } = await mace([...args, '--url', NOBODY], env);
      assert.equal(code, 2, `mace ${args.join(' ')}`);
      assert.match(stderr, /cannot be reached/);
      assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
    }
  });

  it('says of a file that is no bundle that it is broken, and of an empty folder that there is nothing', async () => {
    writeFileSync(at('other.ndjson'), 'hello\n');
    const broken = await mace(['verify', at('other.ndjson')]);
    assert.equal(broken.code, 1);
    assert.match(broken.stdout, /BROKEN/);
    mkdirSync(at('empty'));
    assert.equal((await mace(['verify', at('empty')])).code, 2);
  });
});
