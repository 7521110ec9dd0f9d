import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

const KEY = `world/${named('lake')}/blue/depth`;

let service: TestService;
let browser: ConsoleBrowser;
let auditor: ConsolePage;
let agent: Caller;
let episode: string;
let request: string;
const agentSub = named('agent');
const job = named('job');
const reader = named('reader');

beforeAll(async () => {
  service = await TestService.shared();
  browser = await ConsoleBrowser.start();
  agent = await Caller.of(service, 'agent', { sub: agentSub });
  const admin = await Caller.of(service, 'admin', { sub: named('admin') });
  const council = await Caller.of(service, 'council');
  await agent.post('jobs', { job_seed: job, session_id: named('session') });
  ({ episodic_id: episode } = await agent.post<{ episodic_id: string }>(`jobs/${job}/episodes`, {
    summary: 'A diver measured the lake.',
  }));
  const asked = await agent.post<Record<string, string>>('action-requests', {
    episodic_id: episode,
    target_sem_key: KEY,
    value: 40,
    justification: 'The diver said so.',
    evidence: [{ episodic_id: episode }],
  });
  request = asked['request_id'] ?? '';
  await council.post(`action-requests/${asked['request_id']}/votes`, {
    vote: 'approve',
    reason: 'It is right.',
    proposal_hash: asked['proposal_hash'],
  });
  await agent.post('jobs', { job_seed: reader });
  await agent.get(`sem/${KEY}?job_seed=${reader}`);
  await admin.get(`sem/${KEY}?unredacted=true`);
  const user_text = 'Remember this for me: I prefer lakes over rivers.';
  await agent.post('memory/interactions', {
    ...{ assistant: 'helper', session_id: named('talk'), user_id: named('ada') },
    memory: { short_term: 4, semantic: true, profile: true },
    ...{ user_text, ai_text: 'Noted.' },
  });
  auditor = await browser.open(service, await service.token('auditor'));
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

test('an empty page asks what it is about, and an unknown id is an error in words with its trace id', async () => {
  const { page } = auditor;
  await auditor.goto('/why');
  await page.getByText('Nothing is asked yet').waitFor();
  expect(await auditor.violations()).toStrictEqual([]);
  await page.getByLabel('Kind').selectOption('episode');
  await page.getByLabel('Id').fill('ep:none');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText('Trace id').waitFor();
  expect(await auditor.violations()).toStrictEqual([]);
});

test('a fact leads from its event to the request, the episode, the job and the session', async () => {
  const { page } = auditor;
  await auditor.goto(`/facts/${KEY}`);
  await page.getByRole('link', { name: 'Why is this so?' }).click();
  const origin = page.getByRole('region', { name: 'Where it came from' });
  await origin.getByText('The diver said so.').waitFor();
  expect(await origin.innerText()).toMatch(/Approved by\s+\S+ at \d{4}-/);
  const of = { name: `request ${request}` };
  expect(await origin.getByRole('link', of).getAttribute('href')).toContain(`/requests/${request}`);
  for (const text of [`event 0 of sem-${KEY}`, episode, job, named('session')])
    expect(await origin.innerText()).toContain(text);
  await origin.getByRole('link', { name: episode }).click();
  await origin.getByText('episode_written').waitFor();
  await origin.getByRole('link', { name: `event 1 of job-${job}` }).click();
  await page.waitForURL(`**/console/jobs/${job}?at=1`);
});

test('the jobs that recorded a read, and the unredacted reads with their receipts, are listed', async () => {
  const { page } = auditor;
  await auditor.goto(`/why?kind=fact&id=${KEY}`);
  const reads = page.getByRole('region', { name: 'Reads by jobs' });
  const link = reads.getByRole('link', { name: reader, exact: true });
  expect(await link.getAttribute('href')).toBe(`/console/jobs/${reader}?at=1`);
  const accesses = page.getByRole('region', { name: 'Table of unredacted reads' });
  const text = await accesses.innerText();
  for (const part of [named('admin'), 'audit-', 'position']) expect(text).toContain(part);
  expect(await auditor.violations()).toStrictEqual([]);
});

test('an item shows its way between spaces with both texts', async () => {
  const { page } = auditor;
  const { items } = await agent.get<{ items: { id: string; kind: string }[] }>(
    `memory/user/${named('ada')}`,
  );
  const id = items.find(({ kind }) => kind === 'semantic')?.id ?? '';
  await auditor.goto(`/why?kind=memory_item&id=${id}`);
  const way = page.getByRole('region', { name: 'Its way between spaces' }).getByRole('listitem');
  await way.getByText('hint:remember_for_me').waitFor();
  const [first, second] = await way.allInnerTexts();
  expect(first).toContain(`session ${named('talk')}`);
  expect(first).toContain('promoted');
  expect(second).toContain('this item');
  expect(await auditor.violations()).toStrictEqual([]);
});

test('the pages of a request and of a job link what they name to where it came from', async () => {
  const { page } = auditor;
  const ofEpisode = `/console/why?kind=episode&id=${encodeURIComponent(episode)}`;
  const ofFact = `/console/why?kind=fact&id=${encodeURIComponent(KEY)}`;
  const shown = async (): Promise<(string | null)[]> => {
    const links = await page.locator('a[href*="/console/why"]').all();
    return Promise.all(links.map((link) => link.getAttribute('href')));
  };
  await auditor.goto(`/requests/${request}`);
  await page.getByRole('heading', { name: 'What it wrote' }).waitFor();
  await page.getByRole('heading', { name: 'Episode and evidence' }).waitFor();
  expect((await shown()).toSorted()).toStrictEqual([ofEpisode, ofEpisode, ofFact, ofFact]);
  expect(await auditor.violations()).toStrictEqual([]);
  await auditor.goto(`/jobs/${job}?at=1`);
  await page.getByRole('link', { name: 'Why?' }).waitFor();
  expect(await shown()).toStrictEqual([ofEpisode]);
  const eventTab = page.getByRole('tab', { name: 'Event in detail' });
  await eventTab.click();
  await page.getByRole('list', { name: 'Named in this event' }).waitFor();
  expect(await shown()).toStrictEqual([ofEpisode]);
  await auditor.goto(`/jobs/${reader}?at=1`);
  await eventTab.click();
  await page.getByRole('list', { name: 'Named in this event' }).getByRole('link').click();
  await page.getByText('The diver said so.').waitFor();
});

test('an agent sees the reads of its own jobs only', async () => {
  const other = await browser.open(service, await service.token('agent', { sub: named('other') }));
  await other.goto(`/why?kind=fact&id=${KEY}`);
  await other.page.getByText('None of your jobs recorded a read of it').waitFor();
  expect(await other.page.getByText(reader).count()).toBe(0);
  await other.close();
  const own = await browser.open(service, await service.token('agent', { sub: agentSub }));
  await own.goto(`/why?kind=fact&id=${KEY}`);
  await own.page.getByRole('link', { name: reader, exact: true }).waitFor();
  await own.close();
});

test('a job’s page shows what the job had read, as it saw it and with who approved it, and what it could have read', async () => {
  const { page } = auditor;
  await auditor.goto(`/jobs/${reader}`);
  await page.getByRole('button', { name: 'Show what it had read' }).click();
  const read = page.getByRole('list', { name: 'What it had read' });
  await read.getByRole('link', { name: KEY }).waitFor();
  expect(await read.innerText()).toMatch(/= 40\s+version 0 · read at tick 0 · approved by \S+ at /);
  await page.getByRole('button', { name: 'Show what it could have read' }).click();
  await page
    .getByRole('list', { name: 'What it could have read' })
    .getByRole('link')
    .first()
    .waitFor();
  expect(await auditor.violations()).toStrictEqual([]);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export with what it read' }).click();
  expect((await saving).suggestedFilename()).toBe('memory-now.ndjson');
});
