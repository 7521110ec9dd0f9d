import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jobDecider } from '#domain/job/decider.js';
import type { RecordedEvent } from '#domain/recorded-event.js';
import { bundleHeaderLine, bundleLine } from '#domain/replay/bundle.js';
import { verifyBundle } from '#domain/replay/verify-bundle.js';
import { STREAM } from '#test/domain/job-cases.js';
import { jobRuns } from '#test/domain/job-commands.js';
import { recorded } from '#test/domain/replay-recording.js';
import { ensure } from '#test/support/ensure.js';

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

test('X4 an untouched bundle verifies', async () => {
  await fc.assert(
    fc.asyncProperty(bundles, async (lines) => {
      const report = await verify(lines);
      expect(report.finding).toStrictEqual(undefined);
      expect(report.intact).toBe(true);
    }),
  );
});

test('X4 an edited character is reported with its event', async () => {
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
    { numRuns: 300 },
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

test('X4 an inserted line is reported, whether it is a copy, a renumbered copy or anything else', async () => {
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
        // For a copy beside its original, either of the two may be reported.
        expect(Math.abs((finding.line ?? 0) - (index + 1))).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 300 },
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
