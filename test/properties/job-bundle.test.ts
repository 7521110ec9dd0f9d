import { expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { jobDecider } from '#domain/job/decider.js';
import type { RecordedEvent } from '#domain/recorded-event.js';
import {
  bundleHeaderLine,
  bundleLine,
  type SignedHeader,
  type UnsignedHeader,
} from '#domain/replay/bundle.js';
import { CHAIN_START } from '#domain/determinism/hash-chain.js';
import { verifyBundle } from '#domain/replay/verify-bundle.js';
import { BundleSigner, signatureCheck } from '#platform/signing/bundle-signature.js';
import { STREAM } from '#test/domain/job-cases.js';
import { jobRuns } from '#test/domain/job-commands.js';
import { recorded } from '#test/domain/replay-recording.js';
import { ensure } from '#test/support/ensure.js';
import { tries } from '#test/support/tries.js';

export const linesOf = (log: readonly RecordedEvent[]): string[] => [
  bundleHeaderLine({
    stream: STREAM,
    event_count: log.length,
    head_hash: log.at(-1)?.metadata.hash ?? '',
  }),
  ...log.map(bundleLine),
];

const bundles = jobRuns
  .map((commands) => linesOf(recorded(jobDecider, STREAM, commands)))
  .filter((lines) => lines.length >= 4);

const verify = async (lines: readonly string[]) => await verifyBundle(jobDecider, lines);

test('X4 an unchanged bundle verifies', async () => {
  await fc.assert(
    fc.asyncProperty(bundles, async (lines) => {
      const report = await verify(lines);
      expect(report.finding).toStrictEqual(undefined);
      expect(report.intact).toBe(true);
    }),
  );
});

test('X4 an edited character is reported with the event that contains it', async () => {
  await fc.assert(
    fc.asyncProperty(
      bundles,
      fc.nat(),
      fc.nat(),
      fc.constantFrom('0', '7', 'x', '"', ' '),
      async (lines, row, column, character) => {
        const index = 1 + (row % (lines.length - 1));
        const line = lines[index] as string;
        const at = column % line.length;
        if (line[at] === character) return;
        const edited = line.slice(0, at) + character + line.slice(at + 1);
        const { finding } = await verify(lines.with(index, edited));
        expect([finding?.line, finding?.number]).toStrictEqual([index + 1, index - 1]);
        expect(finding?.problem ?? '').toMatch(/^(edited|not_canonical)$/);
      },
    ),
    { numRuns: tries(300) },
  );
});

test('X4 a deleted event is reported', async () => {
  await fc.assert(
    fc.asyncProperty(bundles, fc.nat(), async (lines, row) => {
      const index = 1 + (row % (lines.length - 1));
      const { finding } = await verify(lines.toSpliced(index, 1));
      expect(finding).toStrictEqual({ problem: 'deleted', number: index - 1 });
    }),
  );
});

test('X4 an inserted line is reported, whether the line is a copy, a renumbered copy or anything else', async () => {
  await fc.assert(
    fc.asyncProperty(
      bundles,
      fc.nat(),
      fc.nat(),
      fc.constantFrom('copy', 'renumbered', 'other'),
      async (lines, from, to, kind) => {
        const index = 1 + (to % lines.length);
        const source = 1 + (from % (lines.length - 1));
        const copied = JSON.parse(lines[source] as string) as RecordedEvent;
        const line = {
          copy: lines[source] as string,
          renumbered: bundleLine({ ...copied, number: index - 1 }),
          other: '{}',
        }[kind];
        const { finding } = await verify(lines.toSpliced(index, 0, line));
        ensure(finding?.problem === 'inserted');
        // If an event and its copy are neighbours, either of the two may be reported.
        expect(Math.abs((finding.line ?? 0) - (index + 1))).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: tries(300) },
  );
});

test('X4 two swapped events are reported', async () => {
  await fc.assert(
    fc.asyncProperty(bundles, fc.nat(), fc.nat(), async (lines, left, right) => {
      const [one, other] = [left, right].map((row) => 1 + (row % (lines.length - 1))) as [
        number,
        number,
      ];
      if (one === other) return;
      const swapped = lines.with(one, lines[other] as string).with(other, lines[one] as string);
      const { finding } = await verify(swapped);
      const [first, second] = [Math.min(one, other), Math.max(one, other)];
      expect(finding).toStrictEqual({ problem: 'reordered', line: second + 1, number: first - 1 });
    }),
  );
});

const signerOf = () => new BundleSigner(generateKeyPairSync('ed25519').privateKey, []);
const signer = signerOf();
const attacker = signerOf();
const keysOf = async (one: BundleSigner) => new Set((await one.publicKeys()).map(({ kid }) => kid));

/** Returns what a header states about these events. */
const statedBy = (log: readonly RecordedEvent[]): UnsignedHeader & { readonly ended: boolean } => ({
  stream: STREAM,
  event_count: log.length,
  head_hash: log.at(-1)?.metadata.hash ?? CHAIN_START,
  ended: log.at(-1)?.type === jobDecider.lastType,
});

const logs = jobRuns
  .map((commands) => recorded(jobDecider, STREAM, commands))
  .filter((log) => log.length >= 3);

const verified = async (header: object, log: readonly RecordedEvent[], trusted?: Set<string>) => {
  const lines = [bundleHeaderLine(header as SignedHeader), ...log.map(bundleLine)];
  const { finding } = await verifyBundle(jobDecider, lines, signatureCheck(trusted));
  return finding?.problem;
};

test('X4 a signed bundle verifies, with its key pinned or not', async () => {
  const trusted = await keysOf(signer);
  await fc.assert(
    fc.asyncProperty(logs, async (log) => {
      const header = await signer.sign(statedBy(log));
      expect(await verified(header, log)).toBe(undefined);
      expect(await verified(header, log, trusted)).toBe(undefined);
    }),
  );
});

test('X4 a bundle cut at its tail is found, down to an empty one, whatever its header is changed to', async () => {
  const trusted = await keysOf(signer);
  await fc.assert(
    fc.asyncProperty(logs, fc.nat(), async (log, at) => {
      const cut = log.slice(0, at % log.length);
      const { ended, ...stated } = statedBy(cut);
      const signed = await signer.sign(statedBy(log));
      expect(await verified(signed, cut)).not.toBe(undefined);
      // A cut in the middle of one append is found by its missing outcomes, before the signature is.
      const isFound = (expected: string) => new RegExp(`^(${expected}|diverged)$`);
      const rewritten = { ...signed, ...stated };
      expect(await verified(rewritten, cut)).toMatch(isFound('wrong_signature|wrong_end'));
      expect(await verified({ ...rewritten, ended }, cut)).toMatch(isFound('wrong_signature'));
      expect(await verified(stated, cut, trusted)).toMatch(isFound('unsigned'));
      const forged = await attacker.sign({ ...stated, ended });
      expect(await verified(forged, cut, trusted)).toMatch(isFound('other_key'));
      const { key_id, public_key } = signed;
      const posing = { ...forged, key_id, public_key };
      expect(await verified(posing, cut, trusted)).toMatch(isFound('wrong_signature'));
      expect(await verified({ ...forged, key_id }, cut, trusted)).toMatch(
        isFound('wrong_signature'),
      );
    }),
  );
});

test('X4 a cut bundle that the attacker signs cannot state that the job has ended', async () => {
  await fc.assert(
    fc.asyncProperty(logs, fc.nat(), async (log, at) => {
      const cut = log.slice(0, at % log.length);
      const forged = await attacker.sign({ ...statedBy(cut), ended: true });
      expect(await verified(forged, cut)).toMatch(/^(wrong_end|diverged)$/);
    }),
  );
});

test('X4 an edited character of the signed header is reported', async () => {
  await fc.assert(
    fc.asyncProperty(logs, fc.nat(), fc.integer({ min: 32, max: 126 }), async (log, at, code) => {
      const line = bundleHeaderLine(await signer.sign(statedBy(log)));
      const column = at % line.length;
      const edited = line.slice(0, column) + String.fromCharCode(code) + line.slice(column + 1);
      if (edited === line) return;
      const lines = [edited, ...log.map(bundleLine)];
      const { intact } = await verifyBundle(jobDecider, lines, signatureCheck());
      expect([edited, intact]).toStrictEqual([edited, false]);
    }),
    { numRuns: tries(500) },
  );
});
