import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chainHash } from '#domain/determinism/hash-chain.js';
import { type EventReceipt, readReceipt, type RequestReceipt } from '#domain/replay/receipt.js';
import { signatureProblem } from '#platform/signing/bundle-signature.js';
import { signed } from '#platform/signing/signature.js';
import { mace } from '#test/support/cli-run.js';
import { Caller } from '#test/support/caller.js';
import { askedErasure, decided, execution } from '#test/support/data-subject.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('A receipt that mace verify checks without the service', () => {
  const folder = temporaryFolder('receipts');
  const at = (name: string): string => join(folder.path, name);
  const keys = at('keys.json');
  let service: TestService;
  /** The receipts as the service sends them, byte for byte. */
  let ofVote: string;
  let ofErasure: string;
  let ofAccess: string;

  beforeAll(async () => {
    service = await TestService.shared();
    const download = async (path: string, token = ''): Promise<string> => {
      const answer = await fetch(service.url + path, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect([path, answer.status]).toStrictEqual([path, 200]);
      return answer.text();
    };
    const agent = await Caller.of(service, 'agent', { sub: named('proposer') });
    const council = await Caller.of(service, 'council', { sub: named('council') });
    const admin = await Caller.of(service, 'admin', { sub: named('admin') });
    await agent.post('jobs', { job_seed: named('job') });
    const { episodic_id } = await agent.post(`jobs/${named('job')}/episodes`, { summary: 'Seen.' });
    const { request_id, proposal_hash } = await agent.post<Record<string, string>>(
      'action-requests',
      {
        ...{ episodic_id, target_sem_key: `world/receipt/${named('sky')}/value`, value: 'blue' },
        justification: 'It was said.',
      },
    );
    const { receipt } = await council.post<{ receipt: { number: number } }>(
      `action-requests/${request_id}/votes`,
      { vote: 'approve', reason: 'It is "so": yes.', proposal_hash },
    );
    ofVote = await download(
      `/v1/action-requests/${request_id}/receipts/${receipt.number}`,
      council.token,
    );
    const user = await Caller.of(service, 'user', { sub: named('subject') });
    const erasure = await askedErasure(user, `user:${named('subject')}`);
    await decided(council, erasure);
    await admin.post(execution(erasure));
    ofErasure = await download(`/v1/erasures/${erasure.request_id}`, admin.token);
    const reader = await Caller.of(service, 'admin', { sub: named('reader') });
    await reader.get(`jobs/${named('job')}?unredacted=true`, { reason: 'A "case": 7' });
    const { accesses } = await reader.get<{ accesses: { event: { position: string } }[] }>(
      `oversight/accesses?sub=${named('reader')}`,
    );
    ofAccess = await download(
      `/v1/oversight/accesses/${accesses[0]!.event.position}/receipt`,
      council.token,
    );
    writeFileSync(keys, await download('/.well-known/jwks.json'));
    writeFileSync(at('receipt.json'), ofVote);
  });
  afterAll(async () => {
    await service?.stop();
    folder.remove();
  });

  const verified = async (text: string, ...options: readonly string[]) => {
    writeFileSync(at('changed.json'), text);
    return mace(['verify', at('changed.json'), ...options]);
  };
  const changed = (change: (receipt: EventReceipt) => object): string =>
    JSON.stringify(change(JSON.parse(ofVote) as EventReceipt));

  it('is intact, and says whether the reader named the key that signed it', async () => {
    const { code, stdout, stderr } = await mace(['verify', at('receipt.json')]);
    expect([stderr, code]).toStrictEqual(['', 0]);
    expect(stdout).toMatch(
      /^intact {2}request-\S+ {2}receipt of event \d+ \(vote_cast\) of \S+ {2}hash [0-9a-f]{64}\n +signed by \S+, signer not pinned\n$/,
    );
    const pinned = await mace(['verify', at('receipt.json'), '--key', keys]);
    expect([pinned.stdout, pinned.code]).toStrictEqual([
      expect.stringMatching(/, a given key\n$/),
      0,
    ]);
    const { request_id, event } = JSON.parse(ofVote) as RequestReceipt;
    const json = await mace(['verify', at('receipt.json'), '--key', keys, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      bundles: [],
      receipts: [
        {
          ...{ intact: true, pinned: true, finding: null, request_id },
          event: {
            ...{ stream: event.stream, number: event.number, position: event.position },
            hash: event.metadata.hash,
          },
        },
      ],
    });
  });

  it('of an erasure is intact as well, and so is one that was laid out anew', async () => {
    const pretty = JSON.stringify(JSON.parse(ofVote), null, 2);
    writeFileSync(at('erasure.json'), ofErasure);
    writeFileSync(at('pretty.json'), `${pretty}\n`);
    writeFileSync(at('access.json'), ofAccess);
    // The folder also has the file with the keys, which is left out.
    const { code, stdout } = await mace(['verify', folder.path, '--key', keys]);
    expect([stdout, code]).toStrictEqual([
      expect.stringMatching(/\n4 receipts intact, none broken\n$/),
      0,
    ]);
    expect(stdout).toContain(`receipt of the erasure of user:${named('subject')}`);
  });

  it('of an unredacted read says who read what', async () => {
    writeFileSync(at('access.json'), ofAccess);
    const { code, stdout, stderr } = await mace(['verify', at('access.json'), '--key', keys]);
    expect([stderr, code]).toStrictEqual(['', 0]);
    expect(stdout).toMatch(
      new RegExp(
        `^intact {2}audit-\\S+ {2}receipt of event 0 \\(admin_access_event\\) of \\S+: ${named('reader')} read job-${named('job')} unredacted, because of “.+” {2}hash`,
      ),
    );
    const json = await mace(['verify', at('access.json'), '--key', keys, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      receipts: [{ intact: true, pinned: true, request_id: null }],
    });
  });

  it('with a changed byte is broken, whichever byte it is', async () => {
    for (const text of [ofVote, ofErasure, ofAccess])
      for (let index = 0; index < text.length; index += 1) {
        const other = text[index] === 'x' ? 'y' : 'x';
        const edited = text.slice(0, index) + other + text.slice(index + 1);
        const { receipt, problem } = readReceipt(edited);
        const found = problem ?? (receipt && (await signatureProblem(receipt)));
        expect([index, found]).not.toStrictEqual([index, undefined]);
      }
  });

  it('that was edited, cut off or signed by another key ends with exit code 1 and says so', async () => {
    const forger = newKey();
    const {
      key_id: _,
      public_key: __,
      signature: ___,
      ...content
    } = JSON.parse(ofVote) as EventReceipt;
    const rejected = { ...content.event, data: { ...content.event.data, vote: 'reject' } };
    const { position: ____, ...event } = rejected;
    const hash = chainHash(content.prev, event);
    const forged = await signed(
      { ...content, event: { ...rejected, metadata: { ...rejected.metadata, hash } } },
      forger,
    );
    const cases: readonly [string, string, RegExp, ...string[]][] = [
      [
        'an edited vote',
        ofVote.replace('"approve"', '"reject"'),
        /hash of its event does not follow/,
      ],
      [
        'an edited position',
        changed((receipt) => ({ ...receipt, event: { ...receipt.event, position: '1' } })),
        /its signature is not valid/,
      ],
      [
        'an edited erasure',
        ofErasure.replace('legal_erasure', 'retention_expired'),
        /its signature/,
      ],
      [
        'another reader',
        ofAccess.replace(`"actor":"${named('reader')}"`, '"actor":"nobody"'),
        /hash of its event does not follow/,
      ],
      ['a cut file', ofVote.slice(0, ofVote.length / 2), /it was cut off/],
      ['a field twice', ofVote.replace('{', '{"request_id":"other",'), /has a field twice/],
      ['a missing field', changed(({ prev: _prev, ...rest }) => rest), /lacks a field/],
      ['another signer', JSON.stringify(forged), /not among the given ones/, '--key', keys],
    ];
    for (const [what, text, says, ...options] of cases) {
      const { code, stdout } = await verified(text, ...options);
      expect([what, code, stdout]).toStrictEqual([what, 1, expect.stringMatching(says)]);
      expect(stdout).not.toMatch(/intact/);
    }
    // Anybody can make a receipt that is consistent in itself: without --key, its signer is only named.
    const { code, stdout } = await verified(JSON.stringify(forged));
    expect([code, stdout]).toStrictEqual([0, expect.stringMatching(/signer not pinned/)]);
    writeFileSync(at('forger.pem'), pemOf(forger));
    const wrong = await mace(['verify', at('receipt.json'), '--key', at('forger.pem')]);
    expect([wrong.code, wrong.stdout]).toStrictEqual([
      1,
      expect.stringMatching(/not among the given/),
    ]);
  });

  it('that cannot be checked ends with exit code 2', async () => {
    const later = await verified(
      changed((receipt) => ({ ...receipt, document: 'mace-receipt-3' })),
    );
    expect([later.code, later.stderr]).toStrictEqual([2, expect.stringMatching(/later version/)]);
    const missing = await mace(['verify', at('none.json')]);
    expect([missing.code, missing.stderr]).toStrictEqual([2, expect.stringMatching(/no file/)]);
    const noKeys = await mace(['verify', at('receipt.json'), '--key', at('receipt.json')]);
    expect([noKeys.code, noKeys.stdout]).toStrictEqual([2, '']);
  });
});
