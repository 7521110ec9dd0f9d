import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

const USER = named('ada').toLowerCase();
const KEY = `user/profile/user_${USER}/city`;
const JOB = named('trip');

let service: TestService;
let browser: ConsoleBrowser;
let opened: ConsolePage;
/** A time at which the person's job had started, after the first session and before the second one. */
let started: string;

beforeAll(async () => {
  service = await TestService.shared();
  browser = await ConsoleBrowser.start();
  const user = await Caller.of(service, 'user', { sub: USER });
  const agent = await Caller.of(service, 'agent', { sub: named('agent'), user_id: USER });
  const admin = await Caller.of(service, 'admin', { sub: named('admin') });
  await user.did('PUT', `sem/${KEY}`, { body: { value: 'Lyon' } });
  await user.post('consents', { text: 'Keep it.', scope: 'persistent' });
  const talkIn = (session_id: string) =>
    agent.post('memory/interactions', {
      ...{ assistant: 'helper', session_id, user_id: USER },
      memory: { short_term: 4, semantic: true, profile: true },
      ...{ user_text: 'I prefer trains.', ai_text: 'Noted.' },
    });
  await talkIn(named('talk'));
  await agent.post('remember', { text: 'Likes night trains.', user_id: USER });
  await agent.post('jobs', { job_seed: JOB, goal: 'Plan the trip to the sea' });
  ({ started_at: started } = (
    await agent.get<{ jobs: { started_at: string }[] }>(`jobs?seed_prefix=${JOB}`)
  ).jobs[0]!);
  await talkIn(named('talk-later'));
  await admin.get(`sem/${KEY}?unredacted=true`, { reason: 'A question of the person' });
  await service.caughtUp();
  opened = await browser.open(service, await service.token('auditor', { sub: named('auditor') }));
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

const section = (name: string) => opened.page.getByRole('region', { name, exact: true }).first();
const press = async (...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await opened.page.keyboard.press(key);
};
const list = () => opened.page.getByRole('listbox', { name: 'Where it leads' });
const going = async (text: string) => {
  await press('Control+k');
  await opened.page.getByRole('combobox', { name: 'Where to' }).fill(text);
};

test('Ctrl K goes to everything about a person: facts, memories, jobs, consents, and who read their data', async () => {
  const { page } = opened;
  await opened.goto('/');
  await going(USER);
  await list()
    .getByRole('option', { name: `All about the person ${USER}` })
    .waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  await list()
    .getByRole('option', { name: `All about the person ${USER}` })
    .click();
  await page.getByRole('heading', { level: 1, name: `Person ${USER}` }).waitFor();
  await section('Facts').getByText('Lyon').waitFor();
  await section('Memories').getByText('an agent gave it to be remembered').waitFor();
  await section('Jobs for this person').getByText('Plan the trip to the sea').waitFor();
  await section('Sessions')
    .getByRole('link', { name: `session ${named('talk')}` })
    .waitFor();
  await section('Consents').getByText('Keep it.').waitFor();
  const reads = section('Who of the admins and the council read personal data of this person');
  await reads.getByText(named('admin')).waitFor();
  await reads.getByText('A question of the person').waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export facts and memories' }).click();
  expect((await saving).suggestedFilename()).toMatch(/^memory-.*\.ndjson$/);
  await opened.goto(`/person?user_id=${named('nobody')}`);
  await page.getByText('No admin and nobody of the council has read these unredacted').waitFor();
  // The past shows nothing that came later.
  const then = encodeURIComponent(started);
  await opened.goto(`/person?user_id=${USER}&moment=${then}`);
  await section('Consents').getByText('Keep it.').waitFor();
  await page.getByText('No admin and nobody of the council has read these unredacted').waitFor();
  expect(await page.getByText('A question of the person').count()).toBe(0);
  const talks = section('Sessions').getByRole('link');
  await talks.first().waitFor();
  expect(await talks.allInnerTexts()).toStrictEqual([`session ${named('talk')}`]);
  await talks.first().click();
  await page.getByText('I prefer trains.', { exact: true }).waitFor();
  await opened.goto(`/person?user_id=${USER}`);
  await talks.first().waitFor();
  expect(await talks.allInnerTexts()).toStrictEqual([
    `session ${named('talk-later')}`,
    `session ${named('talk')}`,
  ]);
  expect(opened.errors).toStrictEqual([]);
});

test('Ctrl K finds a fact by the beginning of its key and a job by that of its seed, by the keyboard alone', async () => {
  const { page } = opened;
  await opened.goto('/');
  await going(KEY.slice(0, -3));
  await list()
    .getByRole('option', { name: `Fact ${KEY}` })
    .waitFor();
  await press('Enter');
  await page.getByRole('heading', { level: 1, name: KEY }).waitFor();
  await going(named('talk').slice(0, -2));
  await list()
    .getByRole('option', { name: `Session ${named('talk')}` })
    .waitFor();
  await press('Escape');
  // Enter waits for what the service finds.
  await going(JOB.slice(0, -2));
  await press('Enter');
  await page.getByRole('heading', { level: 1, name: JOB }).waitFor();
  await going('req');
  await list().getByRole('option', { name: 'Page Requests' }).waitFor();
  await press('Escape');
  await list().waitFor({ state: 'detached' });
  // What the service does not know is still a person or a search.
  await going('zzz');
  await list().getByRole('option', { name: 'Search for zzz' }).click();
  await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('zzz');
});
