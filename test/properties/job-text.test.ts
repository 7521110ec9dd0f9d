import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JobText } from '#apps/api/jobs/record/job-text.js';
import { containsText } from '#domain/job/event-matches.js';
import type { Json } from '#domain/json.js';
import type { RecordedEvent } from '#domain/recorded-event.js';

const words = fc.oneof(
  fc.constantFrom('a', 'ab', 'A b', 'İstanbul', 'straße', '年度', 'b"a', 'a\nb', '1'),
  // Nothing that is stored has lone surrogates or U+0000 (SPEC I5).
  fc
    .string({ unit: 'binary', maxLength: 4 })
    .map((text) => text.toWellFormed().replaceAll('\u0000', '')),
);

const eventsOf = (texts: readonly string[]): RecordedEvent[] =>
  texts.map((text, number) => {
    const metadata = { actor: text.slice(0, 1), kind: 'input', command_index: number };
    const data = { value: text as Json };
    return { stream: 'job-1', number, type: 'ticked', data, metadata } as unknown as RecordedEvent;
  });

const textOf = (events: readonly RecordedEvent[], limit?: number): JobText => {
  const text = new JobText(limit);
  for (const event of events) text.add(event);
  return text;
};

test('the joined texts of a job contain a text in exactly the events that contain it by themselves', () => {
  fc.assert(
    fc.property(
      fc.array(words, { maxLength: 700 }),
      words.filter((text) => text !== ''),
      fc.nat(700),
      (texts, asked, from) => {
        const lower = asked.toLowerCase();
        const events = eventsOf(texts);
        const numbers = events.filter((event) => containsText(event, lower));
        const expected = numbers.map(({ number }) => number).filter((number) => number >= from);
        expect(textOf(events).containing(lower, from)).toStrictEqual(expected);
      },
    ),
  );
});

test('a job with more text than the limit keeps that of its first events, and says up to where', () => {
  fc.assert(
    fc.property(
      fc.array(words, { minLength: 1, maxLength: 700 }),
      fc.nat(20_000),
      (texts, limit) => {
        const events = eventsOf(texts);
        const text = textOf(events, limit);
        expect(text.upTo).toBeGreaterThanOrEqual(0);
        // The event that reaches the limit is the last one.
        const isWhole = text.upTo === events.length - 1;
        expect(isWhole || text.size >= limit).toBe(true);
        const kept = events.slice(0, text.upTo + 1).map(({ number }) => number);
        expect(text.containing('ticked', 0)).toStrictEqual(kept);
      },
    ),
  );
});
