import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { chmodSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { mace } from '#test/support/cli-run.js';
import { named } from '#test/support/named.js';
import { TestService } from '../support/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { TEST_KEYS } from '../support/test-keys.js';

describe('mace login', () => {
  const folder = temporaryFolder('login');
  const file = join(folder.path, 'config', 'mace', 'profiles.json');
  const env = { XDG_CONFIG_HOME: join(folder.path, 'config') };
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await TestService.start();
    token = await service.token('auditor', { sub: named('auditor') });
  });
  afterAll(async () => {
    await service?.stop();
    folder.remove();
  });
  afterEach(() => rmSync(join(folder.path, 'config'), { recursive: true, force: true }));

  const run = (args: readonly string[], environment: Record<string, string> = {}) =>
    mace(args, { ...env, ...environment }, folder.path);
  const login = (...args: string[]) => run(['login', '--url', service.url, ...args]);

  /** Runs a command, and returns the line that says what it used. */
  async function used(args: readonly string[], environment: Record<string, string> = {}) {
    const { stderr } = await run(args, environment);
    return stderr.split('\n').find((line) => line.startsWith('Using '));
  }

  it('keeps the service and the token in a file that only its owner can read, for later commands', async () => {
    const { code, stdout, stderr } = await login('--token', token);
    expect([stderr, code]).toStrictEqual(['', 0]);
    expect(stdout).toContain(
      `Profile 'default' has ${service.url}, as ${named('auditor')} (roles: auditor) until `,
    );
    expect(stdout).toContain(`It is in ${file}.`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toStrictEqual({
      default: { url: service.url, token },
    });
    const found = await run(['search', 'nothing']);
    expect([found.stderr, found.code]).toStrictEqual([
      `Using ${service.url} as ${named('auditor')} (roles: auditor) from profile 'default'\n`,
      0,
    ]);
    expect(stdout + found.stdout + found.stderr).not.toContain(token);
  });

  it('an option comes before the environment, the environment before the profile, and the profile before the local service', async () => {
    await login('--token', token);
    const other = await service.token('auditor', { sub: named('other') });
    const third = await service.token('auditor', { sub: named('third') });
    const variables = { MACE_URL: service.url, MACE_TOKEN: other };
    const search = ['search', 'nothing'];
    const line = (sub: string, from: string): string =>
      `Using ${service.url} as ${sub} (roles: auditor) from ${from}`;
    expect(await used(search)).toBe(line(named('auditor'), "profile 'default'"));
    expect(await used(search, variables)).toBe(line(named('other'), 'MACE_TOKEN'));
    expect(await used([...search, '--token', third], variables)).toBe(
      line(named('third'), '--token'),
    );
    expect(await used([...search, '--profile', 'default'], variables)).toBe(
      line(named('auditor'), "profile 'default'"),
    );
    await run(['logout']);
    const local = { PORT: new URL(service.url).port, MACE_JWT_SECRET: TEST_KEYS.MACE_JWT_SECRET };
    expect(await used(search, local)).toBe(line('mace-search', 'MACE_JWT_SECRET'));
  });

  it('keeps several profiles by name, and says which exist if one is missing', async () => {
    await login('--token', token, '--profile', 'work');
    await login('--token', await service.token('council', { sub: named('me') }));
    expect(await used(['search', 'nothing'], { MACE_PROFILE: 'work' })).toContain("profile 'work'");
    expect(await used(['search', 'nothing'])).toContain(`as ${named('me')} (roles: council)`);
    const missing = await run(['search', 'nothing', '--profile', 'home']);
    expect([missing.code, missing.stdout]).toStrictEqual([2, '']);
    expect(missing.stderr).toContain("There is no profile 'home' (there are: work, default).");
    expect(missing.stderr).toContain('mace login --profile home');
  });

  it('the token of a profile is never sent to another service', async () => {
    await login('--token', token);
    const { MACE_JWT_SECRET } = TEST_KEYS;
    const line = await used(['search', 'nothing', '--url', 'http://127.0.0.1:1'], {
      MACE_JWT_SECRET,
    });
    expect(line).toBe(
      'Using http://127.0.0.1:1 as mace-search (roles: auditor) from MACE_JWT_SECRET',
    );
  });

  it('without a token, the profile has the URL, and commands mint their tokens', async () => {
    const { MACE_JWT_SECRET } = TEST_KEYS;
    const { stderr, code } = await run(['login', '--url', service.url], { MACE_JWT_SECRET });
    expect([stderr, code]).toStrictEqual(['', 0]);
    expect(await used(['search', 'nothing'], { MACE_JWT_SECRET })).toBe(
      `Using ${service.url} of profile 'default' as mace-search (roles: auditor) from MACE_JWT_SECRET`,
    );
  });

  it('with --json, a command says nothing beside its result', async () => {
    const { stdout } = await login('--token', token, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      profile: 'default',
      url: service.url,
      session: { sub: named('auditor') },
    });
    const found = await run(['search', 'nothing', '--json']);
    expect([found.stderr, found.code]).toStrictEqual(['', 0]);
  });

  it('keeps nothing that the service does not accept, and says what to do', async () => {
    const expired = await service.token('auditor', { sub: 'late', ttl: -60 });
    for (const refused of ['not-a-token', expired]) {
      const { code, stderr } = await login('--token', refused);
      expect(code).toBe(2);
      expect(stderr).toMatch(/UNAUTHENTICATED/);
      expect(stderr).toContain('mace login --url <url> --token <token>');
      expect(stderr).not.toContain(refused);
    }
    expect((await run(['login', '--url', 'http://127.0.0.1:1', '--token', token])).code).toBe(2);
    expect(existsSync(file)).toBe(false);
  });

  it('a file that others can read is refused, with what to do', async () => {
    await login('--token', token);
    chmodSync(file, 0o644);
    const { code, stdout, stderr } = await run(['search', 'nothing']);
    expect([code, stdout]).toStrictEqual([4, '']);
    expect(stderr).toContain(`chmod 600 ${file}`);
  });

  it('mace logout removes a profile', async () => {
    await login('--token', token);
    expect((await run(['logout'])).stdout).toBe("Profile 'default' is removed.\n");
    expect(readFileSync(file, 'utf8')).not.toContain(token);
    const again = await run(['logout', '--json']);
    expect([again.code, JSON.parse(again.stdout)]).toStrictEqual([
      0,
      { profile: 'default', removed: false },
    ]);
  });
});
