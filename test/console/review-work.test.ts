import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

let service: TestService;
let browser: ConsoleBrowser;
let agent: Caller;
let episodic_id: unknown;
const ann = named('ann');
const bob = named('bob');

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  browser = await ConsoleBrowser.start();
  agent = await Caller.of(service, 'agent', { sub: named('agent') });
  await agent.post('jobs', { job_seed: named('work') });
  ({ episodic_id } = await agent.post(`jobs/${named('work')}/episodes`, { summary: 'Seen.' }));
});
afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

const keyOf = (name: string): string => `world/work/${named(name)}/value`;
const propose = async (name: string): Promise<string> => {
  const { request_id } = await agent.post<{ request_id: string }>('action-requests', {
    ...{ episodic_id, target_sem_key: keyOf(name) },
    ...{ value: 'proposed', justification: 'It was said.' },
  });
  return request_id;
};
const open = async (sub: string, path: string): Promise<ConsolePage> =>
  browser.open(service, await service.token('council', { sub }), path);

test('reviewers take a request, comment on it and put it off; the queue and the start page show it', async () => {
  const id = await propose('taken');
  const first = await open(ann, `/requests/${id}`);
  const { page } = first;
  await page.getByText('Nobody works on it.').waitFor();
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.getByText('You work on it.').waitFor();
  const comment = page.getByRole('textbox', { name: 'Comment' });
  await comment.fill('I know the source.');
  await page.reload();
  expect(await comment.inputValue()).toBe('I know the source.');
  await comment.press('Control+Enter');
  const comments = page.getByRole('list', { name: 'Comments' });
  await comments.getByText('I know the source.').waitFor();
  expect(await first.violations()).toStrictEqual([]);

  const second = await open(bob, '/requests');
  const row = second.page.getByRole('listitem').filter({ hasText: keyOf('taken') });
  await row.getByText(`Assigned to ${ann}`).waitFor();
  await first.goto('/');
  const glance = page.locator('section').filter({ hasText: 'At a glance' });
  await glance.getByText('Assigned to you: 1').waitFor();
  await glance.getByText('By risk: 1 ').waitFor();
  expect(await first.violations()).toStrictEqual([]);
  await glance.getByRole('link', { name: 'Assigned to you' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Assigned to you' }).waitFor();

  await first.goto(`/requests/${id}`);
  await page.getByRole('button', { name: 'a day', exact: true }).click();
  await page.getByText(/Out of your queue until/).waitFor();
  await first.goto('/requests');
  await page.getByText(/Nothing waits|No request/).waitFor();
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByLabel('What I have put off').check();
  await page
    .getByRole('listitem')
    .filter({ hasText: keyOf('taken') })
    .waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await first.overflow()).toBe(0);
  expect(await first.violations()).toStrictEqual([]);
  await second.goto('/requests');
  await row.waitFor();
  await second.close();
  await first.close();
});

test('a reviewer picks a reason by keys, keeps words of the own, and finds them at the next request', async () => {
  const id = await propose('picked');
  const reviewer = named('picker');
  const opened = await open(reviewer, `/requests/${id}`);
  const { page } = opened;
  const panel = page.getByRole('region', { name: 'Your decision' });
  await panel.getByRole('button', { name: /^Reject/ }).waitFor();
  await page.keyboard.press('r');
  await page.keyboard.press('2');
  await page.keyboard.press('Alt+ArrowDown');
  await panel.getByRole('button', { name: 'The cited episode does not say this.' }).waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  await page.keyboard.press('Enter');
  const words = panel.getByRole('textbox', { name: 'In your words' });
  expect(await words.inputValue()).toBe('The cited episode does not say this.');
  await words.fill('The harbour log says otherwise.');
  await panel.getByRole('button', { name: 'Keep these words' }).click();
  await words.press('Alt+ArrowDown');
  await panel
    .getByRole('button', { name: 'The harbour log says otherwise.', exact: true })
    .waitFor();
  await page.keyboard.press('Escape');
  await words.press('Control+Enter');
  await page
    .getByText(/^Rejected/)
    .first()
    .waitFor();

  const next = await propose('picked-next');
  await opened.goto(`/requests/${next}`);
  await panel.getByRole('button', { name: /^Reject/ }).waitFor();
  await page.keyboard.press('r');
  await page.keyboard.press('2');
  await page.keyboard.press('Alt+ArrowDown');
  await panel.getByRole('button', { name: 'The harbour log says otherwise.', exact: true }).click();
  expect(await words.inputValue()).toBe('The harbour log says otherwise.');
  await opened.close();
});
