import { expect, test } from '@jest/globals';
import { episodicId, reflectiveLogId } from '#domain/determinism/ids.js';
import { jobView } from '#domain/job/view.js';
import {
  end,
  given,
  insert,
  item,
  SEED,
  start,
  ticks,
  tick,
  use,
  wm,
} from '#test/domain/job-cases.js';

test('000-M-T1 [stage1] [golden] [critical] a WM entry with a ttl of 2 is gone after two ticks', () => {
  const inserted = given().when(start(), insert('note', 'hint', 2));
  const after = (count: number) => given(...inserted.events()).when(...ticks(count));
  expect(jobView(after(1).state()).wm).toStrictEqual([
    {
      wm_id: wm(1),
      type: 'hint',
      value: 'note',
      created_at_tick: 0,
      ttl_ticks: 1,
      references: 0,
    },
  ]);
  after(2).then(
    { type: 'ticked', data: { tick: 1 } },
    { type: 'ticked', data: { tick: 2 } },
    { type: 'wm_expired', data: { wm_id: wm(1), tick: 2 } },
  );
  expect(jobView(after(2).state()).wm).toStrictEqual([]);
});

test('000-M-T2 [stage1] [golden] [critical] an entry used twice within four ticks is in CWM and no longer in WM', () => {
  const view = jobView(
    given()
      .when(start(), insert('Rome', 'fact', 9), use(1), ...ticks(3), use(1), tick)
      .state(),
  );
  expect(view.wm).toStrictEqual([]);
  expect(
    view.cwm.items.map(({ cwm_id_item, value, promoted_from_wm }) => ({
      cwm_id_item,
      value,
      promoted_from_wm,
    })),
  ).toStrictEqual([{ cwm_id_item: item(1), value: 'Rome', promoted_from_wm: true }]);
});

test('000-M-T2 [stage1] [golden] [critical] two uses that are further apart than the window do not promote the entry', () => {
  const view = jobView(
    given()
      .when(start(), insert('Rome', 'fact', 9), use(1), ...ticks(4), use(1), tick)
      .state(),
  );
  expect(view.wm.map(({ wm_id, references }) => [wm_id, references])).toStrictEqual([[wm(1), 2]]);
  expect(view.cwm.items).toStrictEqual([]);
});

test('000-M-T3 [stage1] [golden] [critical] the end of a job writes an episodic_summary with the CWM', () => {
  const before = given().when(start(), insert({ city: 'Rome' }), use(1), use(1), tick);
  const { cwm } = jobView(before.state());
  expect(cwm.items.map(({ value }) => value)).toStrictEqual([{ city: 'Rome' }]);
  const reflective_log_id = reflectiveLogId(SEED);
  given(...before.events())
    .when(end)
    .then(
      { type: 'job_ended', data: { tick: 1, reflective_log_id } },
      {
        type: 'episodic_summary',
        data: {
          episodic_id: episodicId(SEED, 1),
          job_seed: SEED,
          owner: { sub: 'agent-1', user_id: null },
          source: 'brainstate',
          summary: ': {"city":"Rome"}',
          evidence: [{ cwm_id: `cwm:${SEED}`, sem_snapshot_hash: '5e' }],
          payload: { cwm, sem_snapshot_hash: '5e', reflective_log_id },
          created_seeded_ts: '2025-06-01T00:00:00.007Z',
          reflective_log_id,
        },
      },
    );
});
