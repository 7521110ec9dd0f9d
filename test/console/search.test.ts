import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

/** A word that nothing else in the log has. */
const WORD = named('harbour').replace('_', '');
const NOWHERE = named('nowhere').replace('_', '');
const KEY = `world/${named('town')}/${WORD}/depth`;
const SCRIPT = '<script>document.title = "owned"</script>';

let service: TestService;
let browser: ConsoleBrowser;
let auditor: ConsolePage;
const job = named('job');

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  browser = await ConsoleBrowser.start();
  const admin = await Caller.of(service, 'admin');
  const agent = await Caller.of(service, 'agent', { sub: named('agent') });
  await admin.did('PUT', `sem/${KEY}`, { body: { value: 'It is deep.' } });
  await agent.post('jobs', { job_seed: job });
  await agent.post(`jobs/${job}/episodes`, { summary: `They were walking along the ${WORD}.` });
  await agent.did('PUT', 'notes', {
    body: {
      ...{ namespace: ['ports'], key: 'hostile' },
      value: `${SCRIPT} \u202E ${WORD} ${'word '.repeat(12_000)}`,
    },
  });
  await agent.did('PUT', 'notes', {
    body: {
      ...{ namespace: ['ports'], key: 'keys' },
      value: {
        word: WORD,
        ...Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n])),
      },
    },
  });
  await agent.post('memory/interactions', {
    ...{ assistant: 'helper', session_id: named('talk') },
    memory: { short_term: 4, semantic: true, profile: true },
    ...{ user_text: `We decided to meet at the ${WORD}.`, ai_text: 'Noted.' },
  });
  auditor = await browser.open(service, await service.token('auditor'));
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

test('an empty search and a search without hits say what to do', async () => {
  const { page } = auditor;
  await auditor.goto('/search');
  await page.getByText('Write what you look for').waitFor();
  expect(await auditor.violations()).toStrictEqual([]);
  await auditor.goto(`/search?q=${NOWHERE}&kinds=note`);
  await page.getByText('Nothing that you may read has these words').waitFor();
  expect(await auditor.violations()).toStrictEqual([]);
  await page.getByRole('button', { name: 'Search everything' }).click();
  await page.getByText('Try fewer words').waitFor();
});

test('hits have their words marked, and lead to the source event, the fact, the note and the space', async () => {
  const { page } = auditor;
  await auditor.goto('/search');
  await page.getByLabel('Words').fill(`walk ${WORD}`);
  await page.getByLabel('Words').press('Enter');
  const hits = page.getByRole('list').getByRole('listitem');
  const episode = hits.filter({ hasText: 'They were' });
  await episode.waitFor();
  expect(await episode.locator('mark').allInnerTexts()).toStrictEqual(['walking', WORD]);
  const event = episode.getByRole('link', { name: `event 1 of job-${job}` });
  expect(await event.getAttribute('href')).toBe(`/console/jobs/${job}?at=1`);
  await page.getByRole('link', { name: KEY }).waitFor();
  await page
    .getByRole('link', { name: `session ${named('talk')}` })
    .first()
    .waitFor();
  const note = hits.filter({ hasText: 'ports / hostile' });
  expect(await note.getByRole('link', { name: 'Why?' }).getAttribute('href')).toContain(
    'kind=note',
  );
  expect(await auditor.violations()).toStrictEqual([]);
});

test('each score is explained in words and as a table', async () => {
  const { page } = auditor;
  await auditor.goto(`/search?q=${WORD}&kinds=fact`);
  await page.getByText('1 hit, best first').waitFor();
  await page.getByRole('button', { name: 'Explain the scores' }).click();
  await page.getByText(/^It has “.+”\..* That makes [\d.]+\.$/).waitFor();
  const table = page.getByRole('region', { name: `The parts of the score of ${KEY}` });
  expect(await table.getByRole('rowheader').allInnerTexts()).toContain('Score');
  expect(new URL(page.url()).searchParams.get('explain')).toBe('true');
  expect(await auditor.violations()).toStrictEqual([]);
});

test('kinds, a time window, a position and a version of the ranking limit a search, and stand in the address', async () => {
  const { page } = auditor;
  await auditor.goto(`/search?q=${WORD}`);
  await page.getByRole('checkbox', { name: 'episodes' }).check();
  await page.getByText('More filters').click();
  await page.getByLabel('Ranking').selectOption('1');
  await page.getByLabel('In job').fill(job);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByText('1 hit, best first, by version 1 of the ranking').waitFor();
  const search = new URL(page.url()).searchParams;
  expect([search.get('kinds'), search.get('ranking'), search.get('job')]).toStrictEqual([
    ...['episode', '1', job],
  ]);
  await page.getByRole('button', { name: 'Keep this position in the address' }).click();
  await page.waitForURL(/as_of=/);
  await auditor.goto(`/search?q=${WORD}&from=1990-01-01&to=1990-12-31`);
  await page.getByText('Nothing that you may read has these words').waitFor();
});

test('what was written today is found by today, and shows when it was written, whatever its job’s logical time is', async () => {
  const { page } = auditor;
  const today = new Date().toISOString().slice(0, 10);
  await auditor.goto(`/search?q=${WORD}&kinds=episode`);
  await page.getByText('More filters').click();
  await page.getByLabel('Written from').fill('today');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByText('1 hit, best first').waitFor();
  expect(new URL(page.url()).searchParams.get('from')).toBe('today');
  const shown = page.getByRole('list').getByRole('listitem').locator('time');
  expect(await shown.first().innerText()).toContain(today);
  await auditor.goto(`/search?q=${WORD}&kinds=episode&to=yesterday`);
  await page.getByText('Nothing that you may read has these words').waitFor();
  expect(await auditor.violations()).toStrictEqual([]);
});

test('a filter that the service refuses is an error in words', async () => {
  await auditor.goto(`/search?q=${WORD}&from=someday`);
  await auditor.page.getByText('Trace id').waitFor();
  expect(await auditor.violations()).toStrictEqual([]);
});

test('script, reversed text, a text of 60 KB and thousands of keys are shown as text and break nothing', async () => {
  const { page } = auditor;
  const fresh = await browser.open(service, await service.token('auditor'));
  await fresh.goto(`/search?q=${WORD}&kinds=note`);
  await fresh.page.getByText('2 hits').waitFor();
  const hit = fresh.page.getByRole('listitem').filter({ hasText: 'ports / hostile' });
  expect(await hit.innerText()).toContain(SCRIPT);
  expect(await hit.getByText('U+202E').count()).toBe(1);
  await hit.getByRole('button', { name: /^Show all 60,\d+ characters$/ }).click();
  expect((await hit.innerText()).length).toBeGreaterThan(59_000);
  expect(await fresh.page.title()).toBe('Search · MACE Memory');
  expect(await fresh.violations()).toStrictEqual([]);
  expect(fresh.errors).toStrictEqual([]);
  await fresh.close();
  expect(await page.title()).not.toBe('owned');
});

test('an agent finds nothing of another agent', async () => {
  const other = await browser.open(service, await service.token('agent', { sub: named('other') }));
  await other.goto(`/search?q=${WORD}&kinds=note,memory_item`);
  await other.page.getByText('Nothing that you may read has these words').waitFor();
  await other.close();
});
