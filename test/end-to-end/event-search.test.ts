import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';

interface Page {
  readonly events: readonly {
    readonly number: number;
    readonly metadata: { readonly trace_id: string };
  }[];
}

let service: TestService;
let agent: Caller;

beforeAll(async () => {
  service = await TestService.shared();
  agent = await Caller.of(service, 'agent');
});
afterAll(() => service?.stop());

it('a text is found in the type, the data and the values of the metadata of events, also in those that came since', async () => {
  const job = named('searched');
  await agent.post('jobs', { job_seed: job, goal: 'Find a Straße' });
  await agent.post(`jobs/${job}/wm`, { type: 'fact', value: { note: 'say "yes"\nthen go' } });
  const numbers = async (text: string) => {
    const { events } = await agent.get<Page>(`jobs/${job}/events?text=${encodeURIComponent(text)}`);
    return events.map(({ number }) => number);
  };
  expect(await numbers('STRASSE')).toStrictEqual([]);
  expect(await numbers('straße')).toStrictEqual([0]);
  expect(await numbers('say \\"YES\\"\\nthen')).toStrictEqual([1]);
  expect(await numbers('wm_ins')).toStrictEqual([1]);
  await agent.post(`jobs/${job}/ticks`);
  expect(await numbers('ticked')).toStrictEqual([2]);
  expect(await numbers('input')).toStrictEqual([0, 1, 2]);
  // The names in the metadata are those of every event, and the end of one text is not the beginning of the next.
  expect(await numbers('command_index')).toStrictEqual([]);
  expect(await numbers('ticked{')).toStrictEqual([]);
  const [, inserted] = (await agent.get<Page>(`jobs/${job}/events`)).events;
  expect(await numbers(inserted!.metadata.trace_id)).toStrictEqual([1]);
});
