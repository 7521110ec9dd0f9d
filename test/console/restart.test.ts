import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '#test/faults/support/until.js';
import { Caller } from '#test/support/caller.js';
import { freePort } from '#test/support/free-port.js';
import { startProxy } from '#test/support/proxy.js';
import { type ServiceClient } from '#test/support/service-client.js';
import { ServiceProcess } from '#test/support/service-process.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';
import { Proposals, type Proposed } from './support/proposals.js';
import { LoggedVotes, sendNow, tray } from './support/votes.js';

const folder = temporaryFolder('restarted');
const JOB = 'followed-job';
let port: number;
let running: ServiceProcess;
let service: ServiceClient;
let browser: ConsoleBrowser;
let admin: Caller;

/** Starts the service as an operator does, on the same port and data as before. */
async function start(): Promise<void> {
  const environment = { PORT: String(port), MACE_COUNCIL_QUORUM: '2' };
  running = ServiceProcess.spawn(folder.path, environment);
  service = await running.ready();
}

beforeAll(async () => {
  port = await freePort();
  await start();
  browser = await ConsoleBrowser.start();
  admin = await Caller.of(service, 'admin');
});

afterAll(async () => {
  await browser?.stop();
  await running?.stop();
  folder.remove();
});

const panel = ({ page }: ConsolePage) => page.getByRole('region', { name: 'Your decision' });
const isAway = ({ page }: ConsolePage): Promise<void> =>
  page.getByRole('status').getByText('The service cannot be reached.').waitFor();
const isBack = ({ page }: ConsolePage): Promise<void> =>
  page.getByText('The service cannot be reached.').waitFor({ state: 'detached' });
const votesOn = async (id: string): Promise<number> =>
  Number((await admin.get(`action-requests/${id}`))['votes_cast']);
/** Returns how many votes the log has of a request, from its events. */
const votesInLog = async (request_id: string): Promise<number> =>
  (await new LoggedVotes(service).of({ request_id }))[0] ?? 0;

/** Opens a request by a link that `mace console` would print, and types half a decision. */
async function reviewing(
  at: { readonly url: string },
  { request_id, target_sem_key: key }: Proposed,
): Promise<ConsolePage> {
  const { code } = await (
    await Caller.of(service, 'council', { sub: 'ann' })
  ).post<{ code: string }>('console/links');
  const opened = await browser.openSignedOut(at, `/sign-in#code=${code}`);
  await opened.page.getByText('ann · council').waitFor();
  await opened.goto(`/requests/${request_id}?key=${key}`);
  await opened.page.getByRole('heading', { name: 'Proposed value' }).waitFor();
  await opened.page.keyboard.press('A');
  await opened.page.getByLabel('In your words').fill('I crossed it');
  return opened;
}

/** The numbers of the events that the list of a job shows, in their order. The headings of ticks and runs have none. */
async function numbersIn({ page }: ConsolePage): Promise<number[]> {
  const events = page.getByRole('region', { name: 'Events', exact: true });
  const rows = await events.getByRole('listitem').allInnerTexts();
  return rows.flatMap((text) => text.split('\n').filter((line) => /^\d+$/.test(line))).map(Number);
}

test('after kill -9 and a start, open pages go on: what was typed is there, and no event is missing or shown twice', async () => {
  const proposals = await Proposals.of(service, 'killed');
  const request = await proposals.fact('bridge');
  const { request_id } = request;
  const agent = await Caller.of(service, 'agent');
  await agent.post('jobs', { job_seed: JOB, goal: 'Wait for the service' });
  const following = await browser.open(service, await service.token('auditor'), `/jobs/${JOB}`);
  const deciding = await reviewing(service, request);
  const count = (events: number): Promise<void> =>
    following.page.getByText(`Event ${events - 1} of ${events - 1} ·`).waitFor();
  await agent.post(`jobs/${JOB}/ticks`);
  await count(2);

  await running.stop('SIGKILL');
  await Promise.all([isAway(following), isAway(deciding)]);
  expect(await deciding.page.getByLabel('In your words').inputValue()).toBe('I crossed it');
  await deciding.page.getByLabel('In your words').fill('I crossed it.');
  expect(await deciding.violations()).toStrictEqual([]);

  await start();
  for (let tick = 0; tick < 20; tick += 1) await agent.post(`jobs/${JOB}/ticks`);
  await Promise.all([isBack(following), isBack(deciding)]);
  await agent.post(`jobs/${JOB}/ticks`);
  await count(23);
  await following.page.keyboard.press('Home');
  await following.page.getByText(/^▸ 22 ×/).click();
  await until('each event has one row', async () => {
    const shown = await numbersIn(following);
    return shown.length > 5 && shown.every((number, at) => number === at);
  });
  expect(await deciding.page.getByLabel('In your words').inputValue()).toBe('I crossed it.');
  await deciding.page.getByLabel('In your words').press('Control+Enter');
  await deciding.page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
  await sendNow(deciding);
  expect(await votesOn(request_id)).toBe(1);
  for (const opened of [following, deciding]) {
    expect(await opened.page.getByText('Sign in again').count()).toBe(0);
    await opened.close();
  }
});

/** Votes through a proxy that loses the answer, and kills the service when the vote is in the log. */
async function votedWithoutAnswer(name: string) {
  const proposals = await Proposals.of(service, name);
  const request = await proposals.fact('bridge');
  const { request_id } = request;
  const proxy = await startProxy(service.url);
  const opened = await reviewing(proxy, request);
  proxy.loseAnswers();
  await opened.page.getByLabel('In your words').press('Control+Enter');
  await tray(opened).getByRole('button', { name: 'Send now' }).click();
  await until('the vote is in the log', async () => (await votesOn(request_id)) === 1);
  await running.stop('SIGKILL');
  return { proxy, opened, request_id };
}

test('a vote that was written when the service was killed counts once, although its answer was lost', async () => {
  const { proxy, opened, request_id } = await votedWithoutAnswer('unanswered');
  await start();
  // The page only now learns that there is no answer, and asks again with the same Idempotency-Key.
  proxy.cut();
  await opened.page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
  const last = opened.page.getByRole('region', { name: 'Your last decision' });
  await last.getByText('Receipt', { exact: true }).click();
  expect(await last.innerText()).toMatch(/Event \d+, position \d+, hash [0-9a-f]{12}…/);
  expect(await votesInLog(request_id)).toBe(1);
  await opened.close();
  await proxy.stop();
});

test('a lost answer whose service stays away for longer is shown as a cast vote when it is back', async () => {
  const { proxy, opened, request_id } = await votedWithoutAnswer('away-for-long');
  proxy.cut();
  await tray(opened).getByText('Not answered yet, sent again by itself').waitFor();
  await start();
  await isBack(opened);
  await tray(opened).waitFor({ state: 'detached' });
  await opened.goto(`/requests/${request_id}`);
  await panel(opened).getByText('You have voted. Others still decide.').waitFor();
  expect(await votesInLog(request_id)).toBe(1);
  await opened.close();
  await proxy.stop();
});
