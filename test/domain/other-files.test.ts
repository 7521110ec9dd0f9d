import { describe, expect, it } from '@jest/globals';
import { type OtherFile, otherFileOf } from '#domain/replay/other-files.js';

const FILES: readonly (readonly [kind: OtherFile, head: string])[] = [
  ['checkpoint', '{"created_at":"2026-01-31T12:00:00.000Z","events":1,"kind":"log_checkpoint"}\n'],
  ['keys', '{"keys":[{"kty":"OKP","crv":"Ed25519","x":"a"}]}'],
  ['keys', JSON.stringify({ keys: [{ kty: 'OKP', x: 'a' }] }, null, 2)],
  ['keys', '-----BEGIN PUBLIC KEY-----\nMCow\n'],
  ['private_keys', '-----BEGIN PRIVATE KEY-----\nMC4C\n'],
  ['private_keys', JSON.stringify({ signingKey: 'a', sealingKey: 'b' }, null, 2)],
  ['private_keys', '{"crv":"Ed25519","d":"secret","kty":"OKP"}'],
  ['backup', JSON.stringify({ kind: 'mace_backup', version: 1, files: [] }, null, 2)],
  [
    'event',
    JSON.stringify(
      { sub: 'ada', trace_id: 't', event: { stream: 'audit-a', number: 0, hash: 'ab' } },
      null,
      2,
    ),
  ],
  [
    'replay_report',
    JSON.stringify(
      { kind: 'replay_report', job_seed: 'a', report: { stream: 'job-a', head_hash: 'ab' } },
      null,
      2,
    ),
  ],
  ['runs', '{"messages":[{"role":"user","content":"Hello"}]}\n'],
];

describe('X4 A file that is given to be verified', () => {
  for (const [kind, head] of FILES)
    it(`is ${kind}: ${head.slice(0, 40).replaceAll('\n', ' ')}`, () => {
      expect(otherFileOf(head)).toBe(kind);
    });

  it('may be a bundle, also a broken one, whatever stands in its events', () => {
    const header = '{"event_count":1,"head_hash":"ab","stream":"job-a"}\n';
    for (const head of [
      header,
      `${header}{"data":{"value":{"kty":"OKP"}},"type":"fact_put"}\n`,
      `{"data":{"value":1},"number":0}\n{"data":{"kty":"OKP"}}\n`,
      '{"event_count":1,"head_hash":"ab","kind":"log_checkpoint","stream":"job-a"}\n',
      ...['', 'text', '{}', '{', '[1,2'],
    ])
      expect([head, otherFileOf(head)]).toStrictEqual([head, undefined]);
  });
});
