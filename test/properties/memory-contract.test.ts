import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fold } from '#domain/decider.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import type { MemoryEvent } from '#domain/memory-contract/events.js';
import { allItems } from '#domain/memory-contract/store/ledger.js';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import type { StoreState } from '#domain/memory-contract/state.js';
import {
  MemoryWorld,
  type AskedRecall,
  type SaidTurn,
} from '#test/domain/memory-contract-world.js';
import { tries } from '#test/support/tries.js';

const user_text = fc.constantFrom(
  'ok',
  'It rains.',
  'I prefer tea.',
  'I prefer TEA',
  'My name is Ada.',
  'Actually my name is Grace',
  'We decided on Go, remember this for the project',
  'I like rain, remember this for me',
  'My editor is vim. Save this for me',
  'I want sun, remember this for everyone',
  'my password is hunter2, I prefer it',
);
const policy = fc.record(
  {
    write_policy: fc.constantFrom('none', 'minimal', 'normal', 'aggressive'),
    forget_policy: fc.constantFrom('never', 'ttl', 'decay'),
    allow_cross_phase_recall: fc.boolean(),
    max_phases: fc.constantFrom(1, 2, null),
    phase_enabled: fc.boolean(),
    deny_event_types: fc.constantFrom([], ['fact'] as const),
  },
  { requiredKeys: [] },
);
const asked = {
  session_id: fc.constantFrom('s1', 's2'),
  memory: fc.record({
    short_term: fc.constantFrom(0, 1, 4),
    semantic: fc.boolean(),
    profile: fc.boolean(),
  }),
  policy,
  phase: fc.record({ token: fc.constantFrom('a', 'b') }),
};
const say: fc.Arbitrary<{ readonly say: SaidTurn }> = fc.record({
  say: fc.record(
    {
      user_text,
      ...asked,
      tool_events: fc.constantFrom([], [{ tool: 'clock' }]),
      flagged: fc.constantFrom([], ['ai'] as const),
      phase_diff: fc.constant({ from: 'phase-1', to: 'phase-2' }),
    },
    { requiredKeys: ['user_text'] },
  ),
});
const recall: fc.Arbitrary<{ readonly recall: AskedRecall }> = fc.record({
  recall: fc.record(
    { query: fc.constantFrom('', 'tea', 'ada rain'), ...asked, trace: fc.boolean() },
    { requiredKeys: [] },
  ),
});
const conversation = fc.array(fc.oneof({ weight: 3, arbitrary: say }, recall), { maxLength: 30 });
type Step = { readonly say: SaidTurn } | { readonly recall: AskedRecall };

const answer = (world: MemoryWorld, step: Step) =>
  'say' in step ? world.say(step.say) : world.recall(step.recall);

function played(steps: readonly Step[]) {
  const world = new MemoryWorld();
  return { world, answers: steps.map((step) => answer(world, step)) };
}

const foldOf = (stream: string, events: readonly MemoryEvent[]): StoreState =>
  fold(memoryDecider, memoryDecider.initialState(stream), events);

const stored = (state: StoreState): readonly string[] => allItems(state.ledger).map(({ id }) => id);

test('M1–M18 a repeated history gives the same ids, ticks, hashes and traces', () => {
  fc.assert(
    fc.property(conversation, (steps) => {
      const [one, other] = [played(steps), played(steps)];
      expect(canonicalJson(one.answers)).toBe(canonicalJson(other.answers));
      expect(canonicalJson([...one.world.streams])).toBe(canonicalJson([...other.world.streams]));
    }),
    { numRuns: tries(40) },
  );
});

test('X1 deciding the recorded inputs of a stream again gives the same events', () => {
  fc.assert(
    fc.property(conversation, (steps) => {
      for (const [stream, events] of played(steps).world.streams) {
        const read = JSON.parse(canonicalJson(events)) as MemoryEvent[];
        let state = memoryDecider.initialState(stream);
        const again: MemoryEvent[] = [];
        for (const event of read) {
          if (memoryDecider.schemas[event.type].kind !== 'input') continue;
          const made = memoryDecider.decide(memoryDecider.commandOf(event), state);
          state = fold(memoryDecider, state, made);
          again.push(...made);
        }
        expect(canonicalJson(again)).toBe(canonicalJson(events));
      }
    }),
    { numRuns: tries(40) },
  );
});

test('M9 no two semantic items, and no two profile items, of a store share a dedup key', () => {
  fc.assert(
    fc.property(conversation, (steps) => {
      for (const [stream, events] of played(steps).world.streams) {
        const { items } = foldOf(stream, events).ledger;
        for (const kind of ['semantic', 'profile'] as const) {
          const keys = [...items[kind]].map(({ item }) => item.meta.dedup_key);
          expect([stream, new Set(keys).size]).toStrictEqual([stream, keys.length]);
        }
      }
    }),
    { numRuns: tries(60) },
  );
});

test('M1 ids and ticks are unique', () => {
  fc.assert(
    fc.property(conversation, (steps) => {
      for (const events of played(steps).world.streams.values()) {
        const made = events.flatMap((event) =>
          event.type === 'item_stored' ? [event.data.item] : [],
        );
        expect(new Set(made.map(({ id }) => id)).size).toBe(made.length);
        expect(new Set(made.map(({ created_at }) => created_at)).size).toBe(made.length);
      }
    }),
    { numRuns: tries(40) },
  );
});

test('M9, M10 deleted items are never recalled, and every recalled item exists in a store', () => {
  fc.assert(
    fc.property(conversation, (steps) => {
      const world = new MemoryWorld();
      for (const step of steps) {
        const made = answer(world, step);
        if (!('items' in made)) continue;
        const held = [...world.streams].flatMap(([stream, events]) =>
          stored(foldOf(stream, events)),
        );
        for (const { id } of made.items) expect(held).toContain(id);
      }
    }),
    { numRuns: tries(40) },
  );
});

test('M12, M13 only a granted promotion writes to a space other than the session’s own', () => {
  fc.assert(
    fc.property(conversation, (steps) => {
      const { streams } = played(steps).world;
      const granted = [...streams.values()]
        .flat()
        .flatMap((event) =>
          event.type === 'promotion_requested' ? event.data.items.map(({ id }) => id) : [],
        );
      for (const [stream, events] of streams) {
        if (stream.startsWith('memory-session:')) continue;
        expect(!stream.startsWith('memory-system:') || events.length === 0).toBe(true);
        for (const event of events) {
          if (event.type !== 'item_stored') continue;
          expect(granted).toContain(event.data.item.meta.promoted_from ?? '');
        }
      }
    }),
    { numRuns: tries(60) },
  );
});

test('M15 the ledger of the current phase lists exactly the stored items that were not deleted', () => {
  fc.assert(
    fc.property(conversation, (steps) => {
      for (const [stream, events] of played(steps).world.streams) {
        const left = new Set<string>();
        for (const event of events) {
          if (event.type === 'item_stored') left.add(event.data.item.id);
          if (event.type === 'memory_deleted') left.delete(event.data.memory_id);
        }
        expect([...stored(foldOf(stream, events))].sort()).toStrictEqual([...left].sort());
      }
    }),
    { numRuns: tries(60) },
  );
});

test('M8 a secret occurs in no stream and in no answer', () => {
  fc.assert(
    fc.property(conversation, (steps) => {
      const { world, answers } = played(steps);
      expect(JSON.stringify([[...world.streams], answers])).not.toContain('hunter2');
    }),
    { numRuns: tries(30) },
  );
});
