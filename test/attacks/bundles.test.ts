import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHAIN_START } from '#domain/determinism/hash-chain.js';
import { bundleHeaderLine, type SignedHeader, type UnsignedHeader } from '#domain/replay/bundle.js';
import { BundleSigner } from '#platform/signing/bundle-signature.js';
import type { SigningJwk } from '#platform/signing/signature.js';
import { mace } from '#test/support/cli-run.js';
import { Caller } from '#test/support/caller.js';
import { TestService } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;
const REPLACED = newKey();
const OLD_KEY = REPLACED.export({ format: 'jwk' }).x as string;

describe('An attacker who has exported bundles', () => {
  const folder = temporaryFolder('attacked-bundles');
  const at = (name: string): string => join(folder.path, name);
  const keys = at('keys.json');
  let service: TestService;
  /** The lines of the bundles of an ended and of a running job. */
  let ended: readonly string[];
  let running: readonly string[];

  const jwks = async (): Promise<{ keys: SigningJwk[] }> =>
    (await service.call<{ keys: SigningJwk[] }>('GET', '/.well-known/jwks.json')).body;

  beforeAll(async () => {
    service = await TestService.start({
      ownLog: true,
      environment: { MACE_BUNDLE_KEYS_OLD: OLD_KEY },
    });
    const agent = await Caller.of(service, 'agent');
    for (const job_seed of ['whole', 'running']) {
      await agent.post('jobs', { job_seed });
      for (const value of ['one', 'two'])
        await agent.post(`jobs/${job_seed}/wm`, { type: 'fact', value });
    }
    await agent.post('jobs/whole/end');
    const linesOf = async (seed: string): Promise<string[]> => {
      const { body } = await agent.did<string>('GET', `jobs/${seed}/bundle`);
      return body.split('\n').slice(0, -1);
    };
    [ended, running] = [await linesOf('whole'), await linesOf('running')];
    writeFileSync(keys, JSON.stringify(await jwks()));
  });
  afterAll(async () => {
    await service.stop();
    folder.remove();
  });

  const headerOf = (lines: readonly string[]): SignedHeader =>
    JSON.parse(lines[0] ?? '') as SignedHeader;

  /** Returns the first `count` events, with what a header states about them. */
  function cut(count: number): { stated: UnsignedHeader; events: readonly string[] } {
    const events = ended.slice(1, 1 + count);
    const last = events.at(-1);
    const head_hash =
      last === undefined
        ? CHAIN_START
        : (JSON.parse(last) as { metadata: { hash: string } }).metadata.hash;
    return { stated: { stream: 'job-whole', event_count: count, head_hash }, events };
  }

  async function verify(lines: readonly string[], ...options: string[]) {
    const file = at('attacked.ndjson');
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    const { code, stdout } = await mace(['verify', file, ...options]);
    return { code, stdout };
  }
  const broken = (sentence: RegExp) => ({
    code: 1,
    stdout: expect.stringMatching(new RegExp(`BROKEN[^]*${sentence.source}`)),
  });
  const intact = (sentence: RegExp) => ({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`^intact[^]*${sentence.source}`)),
  });

  it('reads the public keys, replaced ones too, without a token, and nothing private', async () => {
    const { status, body, headers } = await service.call<string>('GET', '/.well-known/jwks.json');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    const { keys: listed } = body as unknown as { keys: SigningJwk[] };
    expect(listed.map((jwk) => Object.keys(jwk).sort().join())).toStrictEqual(
      Array<string>(2).fill('alg,crv,kid,kty,use,x'),
    );
    expect(listed.map(({ x }) => x)).toStrictEqual([headerOf(ended).public_key, OLD_KEY]);
    expect(listed[0]?.kid).toBe(headerOf(ended).key_id);
  });

  it('leaves a bundle as it is: it verifies with the JWK set, the JWK and the PEM of its key', async () => {
    const { key_id } = headerOf(ended);
    expect(await verify(ended)).toStrictEqual(
      intact(new RegExp(`signed by ${key_id}, signer not pinned`)),
    );
    const [jwk] = (await jwks()).keys;
    writeFileSync(at('key.jwk'), JSON.stringify(jwk));
    const pem = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    writeFileSync(at('key.pem'), pem.export({ type: 'spki', format: 'pem' }));
    for (const file of [keys, at('key.jwk'), at('key.pem')])
      expect(await verify(ended, '--key', file, '--ended')).toStrictEqual(
        intact(new RegExp(`signed by ${key_id}, a given key`)),
      );
  });

  it('gains nothing from a replaced key: bundles that it signed still verify', async () => {
    const { stated, events } = cut(headerOf(ended).event_count);
    const header = await new BundleSigner(REPLACED, []).sign({ ...stated, ended: true });
    expect(await verify([bundleHeaderLine(header), ...events], '--key', keys)).toStrictEqual(
      intact(/a given key/),
    );
  });

  it('cannot cut a bundle at its tail and edit the header, down to an empty bundle', async () => {
    const count = headerOf(ended).event_count;
    for (const left of [count - 1, 3, 1, 0]) {
      const { stated, events } = cut(left);
      const edited = { ...headerOf(ended), ...stated, ended: false };
      const lines = [bundleHeaderLine(edited), ...events];
      for (const options of [[], ['--key', keys]])
        expect([left, await verify(lines, ...options)]).toStrictEqual([
          left,
          broken(/the first line was edited/),
        ]);
    }
  });

  it('cannot remove the signature of a cut bundle from a reader who gives the key', async () => {
    const { stated, events } = cut(3);
    const lines = [bundleHeaderLine(stated), ...events];
    expect(await verify(lines, '--key', keys)).toStrictEqual(broken(/has no signature/));
    // Without the key, it is what an earlier release wrote, and the output says so.
    expect(await verify(lines)).toStrictEqual(intact(/unsigned, as bundles of a release before/));
    expect(await verify(lines, '--ended')).toStrictEqual(broken(/the job has no end/));
  });

  it('cannot sign a cut bundle with another key, or pose as the signer', async () => {
    const { stated, events } = cut(3);
    const forged = await new BundleSigner(newKey(), []).sign({ ...stated, ended: false });
    const lines = [bundleHeaderLine(forged), ...events];
    expect(await verify(lines, '--key', keys)).toStrictEqual(broken(/signed by a key that is not/));
    expect(await verify(lines)).toStrictEqual(
      intact(new RegExp(`signed by ${forged.key_id}, signer not pinned`)),
    );
    expect(forged.key_id).not.toBe(headerOf(ended).key_id);
    const { key_id } = headerOf(ended);
    const posing = [bundleHeaderLine({ ...forged, key_id }), ...events];
    for (const options of [[], ['--key', keys]])
      expect(await verify(posing, ...options)).toStrictEqual(broken(/the first line was edited/));
    const claiming = await new BundleSigner(newKey(), []).sign({ ...stated, ended: true });
    expect(await verify([bundleHeaderLine(claiming), ...events], '--ended')).toStrictEqual(
      broken(/disagree on whether the job has ended/),
    );
  });

  it('cannot pass off a bundle without the job’s end as complete', async () => {
    expect(await verify(running, '--key', keys)).toStrictEqual(
      intact(/warning: the job has no end/),
    );
    expect(await verify(running, '--ended')).toStrictEqual(broken(/the job has no end/));
    expect((await verify(ended)).stdout).not.toMatch(/warning/);
  });

  it('cannot cut off the last line feed', async () => {
    const file = at('unterminated.ndjson');
    writeFileSync(file, ended.join('\n'));
    const { code, stdout } = await mace(['verify', file]);
    expect({ code, stdout }).toStrictEqual(broken(/the last line has no line feed/));
  });

  it('gains nothing from a key file without a key, which ends the command with code 2', async () => {
    writeFileSync(at('none.json'), '{"keys": []}');
    writeFileSync(at('text.pem'), 'a text');
    for (const file of [at('none.json'), at('text.pem'), at('missing.json')])
      expect((await verify(ended, '--key', file)).code).toBe(2);
  });

  it('cannot disturb bundles of the release before, which verify as unsigned', async () => {
    const url = new URL('../golden/streams/job-schema-1.ndjson', import.meta.url);
    const recorded = readFileSync(url, 'utf8').trimEnd().split('\n');
    expect(await verify(recorded)).toStrictEqual(intact(/unsigned, as bundles/));
    expect((await verify(recorded, '--key', keys)).code).toBe(1);
  });
});
