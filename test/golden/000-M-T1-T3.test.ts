import { expect, test } from '@jest/globals';
import { jobView } from '#domain/job/view.js';
import { end, given, insert, item, start, ticks, tick, use, wm } from '#test/domain/job-cases.js';
import { ensure } from '#test/support/ensure.js';

test('000-M-T1 [stage1] [golden] [critical] a WM entry with a ttl of 2 is gone after two ticks', () => {
  const afterOne = jobView(
    given()
      .when(start(), insert('note', 'hint', 2), tick)
      .state(),
  );
  expect(afterOne.wm.map(({ wm_id, ttl_ticks }) => [wm_id, ttl_ticks])).toStrictEqual([[wm(1), 1]]);
  const outcome = given().when(start(), insert('note', 'hint', 2), ...ticks(2));
  outcome.thenTypes('job_started', 'wm_inserted', 'ticked', 'ticked', 'wm_expired');
  expect(jobView(outcome.state()).wm).toStrictEqual([]);
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
  const events = given(...before.events())
    .when(end)
    .events();
  const last = events.at(-1);
  ensure(last?.type === 'episodic_summary');
  expect(last.data.payload).toStrictEqual({
    cwm: jobView(before.state()).cwm,
    sem_snapshot_hash: '5e',
    reflective_log_id: last.data.reflective_log_id,
  });
  expect(last.data.summary).toBe(': {"city":"Rome"}');
  expect(last.data.reflective_log_id ?? '').toMatch(/^[0-9a-f-]{36}$/);
});
