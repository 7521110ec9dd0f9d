import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fold } from '#domain/decider.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { jobDecider } from '#domain/job/decider.js';
import type { JobEvent } from '#domain/job/events.js';
import { cwmTtl, tokenEstimate, wmTtl, type JobState } from '#domain/job/state.js';
import { jobStateJson } from '#domain/job/view.js';
import type { RecordedEvent } from '#domain/recorded-event.js';
import { replayStream } from '#domain/replay/stream-replay.js';
import { SEED, STREAM } from '#test/domain/job-cases.js';
import { jobRuns } from '#test/domain/job-commands.js';
import { recorded } from '#test/domain/replay-recording.js';

const eventsOf = (log: readonly RecordedEvent[]) => log as unknown as readonly JobEvent[];

test('replaying any sequence of commands gives the same bytes as recording it', async () => {
  await fc.assert(
    fc.asyncProperty(jobRuns, async (commands) => {
      const log = recorded(jobDecider, STREAM, commands);
      expect(canonicalJson(recorded(jobDecider, STREAM, commands))).toBe(canonicalJson(log));
      const report = await replayStream(jobDecider, STREAM, log, 'strict');
      expect(report.divergence).toBeUndefined();
      expect(report.identical).toBe(true);
      expect(report.events_checked).toBe(log.length);
    }),
  );
});

test('folding a stream in two halves gives the same state as folding it whole, and does not change the given state', () => {
  fc.assert(
    fc.property(jobRuns, fc.nat(), (commands, cut) => {
      const events = eventsOf(recorded(jobDecider, STREAM, commands));
      const at = cut % (events.length + 1);
      const initial = jobDecider.initialState(STREAM);
      const half = fold(jobDecider, initial, events.slice(0, at));
      const halfBefore = canonicalJson(jobStateJson(half));
      const whole = fold(jobDecider, initial, events);
      expect(fold(jobDecider, half, events.slice(at))).toStrictEqual(whole);
      expect(canonicalJson(jobStateJson(half))).toBe(halfBefore);
      expect(initial).toStrictEqual(jobDecider.initialState(STREAM));
    }),
  );
});

/** Checks the invariants that hold after every event. */
function checkAlways(state: JobState): void {
  const inWm = new Set(state.wm.map((entry) => entry.wm_id));
  const inCwm = new Set(state.cwm.map((kept) => kept.item_id));
  // Every wm_id is unique in WM.
  expect(inWm.size).toBe(state.wm.length);
  // Every item_id is unique in CWM.
  expect(inCwm.size).toBe(state.cwm.length);
  for (const wmId of inWm)
    // No entry is in both WM and CWM.
    expect(inCwm.has(`cwmi:${wmId}`)).toBe(false);
  const sum = state.cwm.reduce((total, kept) => total + tokenEstimate(kept.content), 0);
  expect(state.token_estimate).toBe(sum);
  const counters = state.wm.map((entry) => entry.counter);
  expect(counters).toStrictEqual(counters.toSorted((left, right) => left - right));
  expect(counters.at(-1) ?? 0).toBeLessThanOrEqual(state.wm_counter);
}

/** Checks the invariants that hold after all events of a command. */
function checkSettled(state: JobState): void {
  for (const entry of state.wm) expect(wmTtl(entry, state.tick)).toBeGreaterThan(0);
  for (const kept of state.cwm) expect(cwmTtl(kept, state.tick)).toBeGreaterThan(0);
  const budget = state.started?.constants.cwm_token_budget ?? 0;
  // The CWM is within its token budget.
  expect(state.token_estimate).toBeLessThanOrEqual(budget);
}

test('no sequence of commands breaks an invariant', () => {
  fc.assert(
    fc.property(jobRuns, (commands) => {
      const log = recorded(jobDecider, STREAM, commands);
      const given = new Set<string>();
      let state = jobDecider.initialState(STREAM);
      eventsOf(log).forEach((event, index) => {
        state = jobDecider.evolve(state, event);
        checkAlways(state);
        const next = log[index + 1]?.metadata.command_id;
        if (next !== log[index]?.metadata.command_id) checkSettled(state);
        if (event.type === 'wm_inserted' || event.type === 'cwm_returned') {
          // No wm_id is given twice.
          expect(given.has(event.data.wm_id)).toBe(false);
          given.add(event.data.wm_id);
          expect(event.data.wm_id).toBe(`wm:${SEED}:${given.size}`);
        }
        expect(state.version).toBe(index);
      });
      const eventIds = log.map((event) => event.metadata.event_id);
      // Every event id is unique.
      expect(new Set(eventIds).size).toBe(log.length);
      const episodes = log.flatMap((event) => event.data.episodic_id ?? []);
      // Every episodic id is unique.
      expect(new Set(episodes).size).toBe(episodes.length);
    }),
  );
});
