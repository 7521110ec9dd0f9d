import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('replaying any sequence of commands gives the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(jobRuns, async (commands) => {
      const log = recorded(jobDecider, STREAM, commands);
      assert.equal(canonicalJson(recorded(jobDecider, STREAM, commands)), canonicalJson(log));
      const report = await replayStream(jobDecider, STREAM, log, 'strict');
      assert.equal(report.divergence, undefined);
      assert.equal(report.identical, true);
      assert.equal(report.events_checked, log.length);
    }),
  );
});

test('folding in two halves equals folding whole, and folding changes no state it was given', () => {
  fc.assert(
    fc.property(jobRuns, fc.nat(), (commands, cut) => {
      const events = eventsOf(recorded(jobDecider, STREAM, commands));
      const at = cut % (events.length + 1);
      const initial = jobDecider.initialState(STREAM);
      const half = fold(jobDecider, initial, events.slice(0, at));
      const halfBefore = canonicalJson(jobStateJson(half));
      const whole = fold(jobDecider, initial, events);
      assert.deepEqual(fold(jobDecider, half, events.slice(at)), whole);
      assert.equal(canonicalJson(jobStateJson(half)), halfBefore);
      assert.deepEqual(initial, jobDecider.initialState(STREAM));
    }),
  );
});

/** What must hold after every event. */
function checkAlways(state: JobState): void {
  const inWm = new Set(state.wm.map((entry) => entry.wm_id));
  const inCwm = new Set(state.cwm.map((kept) => kept.item_id));
  assert.equal(inWm.size, state.wm.length, 'a wm_id stands twice in WM');
  assert.equal(inCwm.size, state.cwm.length, 'an item_id stands twice in CWM');
  for (const wmId of inWm) assert.equal(inCwm.has(`cwmi:${wmId}`), false, 'in both WM and CWM');
  const sum = state.cwm.reduce((total, kept) => total + tokenEstimate(kept.held), 0);
  assert.equal(state.token_estimate, sum);
  const counters = state.wm.map((entry) => entry.counter);
  assert.deepEqual(
    counters,
    counters.toSorted((left, right) => left - right),
  );
  assert.equal((counters.at(-1) ?? 0) <= state.wm_counter, true);
}

/** What must hold when a command's events are all there. */
function checkSettled(state: JobState): void {
  for (const entry of state.wm) assert.equal(wmTtl(entry, state.tick) > 0, true);
  for (const kept of state.cwm) assert.equal(cwmTtl(kept, state.tick) > 0, true);
  const budget = state.started?.constants.cwm_token_budget ?? 0;
  assert.equal(state.token_estimate <= budget, true, 'the token budget is exceeded');
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
          assert.equal(given.has(event.data.wm_id), false, 'a counter was used twice');
          given.add(event.data.wm_id);
          assert.equal(event.data.wm_id, `wm:${SEED}:${given.size}`);
        }
        assert.equal(state.version, index);
      });
      const eventIds = log.map((event) => event.metadata.event_id);
      assert.equal(new Set(eventIds).size, log.length, 'an event id stands twice');
      const episodes = log.flatMap((event) => event.data.episodic_id ?? []);
      assert.equal(new Set(episodes).size, episodes.length, 'an episodic id stands twice');
    }),
  );
});
