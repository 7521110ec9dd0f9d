import { expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { chainHash } from '#domain/determinism/hash-chain.js';
import { seededTimestamp } from '#domain/determinism/seeded-clock.js';
import type { JsonObject } from '#domain/json.js';
import { encode } from '#event-store/codec.js';

const SCHEMAS = { noted: { version: 3, kind: 'input' } } as const;

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const evidence = fc.dictionary(text, fc.oneof(text, fc.integer()), { maxKeys: 4 });
const identity = fc.record(
  { command_id: text, body_hash: text, actor: text, trace_id: text, evidence },
  { requiredKeys: ['command_id', 'body_hash', 'actor', 'trace_id'] },
);

test('I6 an event is sent as the canonical JSON that its hash covers, with or without evidence', () => {
  const data = fc.dictionary(text, fc.jsonValue()) as fc.Arbitrary<JsonObject>;
  fc.assert(
    fc.property(identity, data, fc.nat(), text, (who, said, commandIndex, stream) => {
      const head = { stream, number: 6, hash: 'f'.repeat(64), base: 1_700_000_000_123 };
      const origin = { identity: who, commandIndex, recordedAt: '2026-01-02T03:04:05.678Z' };
      const encoded = encode(SCHEMAS, head, { type: 'noted', data: said }, origin);
      const { hash, ...covered } = encoded.metadata;
      const sent = canonicalize(covered)?.slice(0, -1);
      expect(encoded.json.metadata).toBe(`${sent},"hash":"${hash}"}`);
      expect(encoded.json.data).toBe(canonicalize(said));
      const { type, metadata } = encoded;
      expect(hash).toBe(chainHash(head.hash, { stream, number: 7, type, data: said, metadata }));
    }),
  );
});

test('I3 each stream’s timestamps use the base of that stream, even if events of several streams are encoded in turn', () => {
  const base = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') });
  fc.assert(
    fc.property(fc.array(fc.tuple(base, fc.nat(20_000)), { maxLength: 50 }), (places) => {
      for (const [begin, number] of places) {
        const at = begin.getTime();
        expect(seededTimestamp(at, number)).toBe(new Date(at + number).toISOString());
      }
    }),
  );
});
