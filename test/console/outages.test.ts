import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import {
  type OwnEventStore,
  startOwnEventStore,
  startTestPostgres,
} from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';
import { Proposals, type Proposed } from './support/proposals.js';
import { sendNow, tray } from './support/votes.js';

let eventStore: OwnEventStore;
let service: TestService;
let browser: ConsoleBrowser;
let rows: pg.Client;
let admin: Caller;

beforeAll(async () => {
  eventStore = await startOwnEventStore();
  const servers = { eventStore, postgres: await startTestPostgres() };
  service = await TestService.start({ servers, environment: { MACE_COUNCIL_QUORUM: '2' } });
  browser = await ConsoleBrowser.start();
  rows = new pg.Client({ connectionString: service.postgres.url });
  await rows.connect();
  admin = await Caller.of(service, 'admin');
});

afterAll(async () => {
  await rows?.end();
  await browser?.stop();
  await service?.stop();
  await Promise.all([eventStore?.stop(), service?.postgres.stop()]);
});

const why = ({ page }: ConsolePage) => page.getByLabel('In your words');
const isDecided = ({ page }: ConsolePage): Promise<void> =>
  page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
const votesOn = async (id: string): Promise<number> =>
  Number((await admin.get(`action-requests/${id}`))['votes_cast']);

/** Opens a request and types half a decision. */
async function reviewing(token: string, request: Proposed): Promise<ConsolePage> {
  const { request_id, target_sem_key: key } = request;
  const opened = await browser.open(service, token, `/requests/${request_id}?key=${key}`);
  await opened.page.getByRole('heading', { name: 'Proposed value' }).waitFor();
  await opened.page.keyboard.press('A');
  await why(opened).fill('I crossed it.');
  return opened;
}

test('an event store that is down is named, the vote says that it has no answer, and counts once when it is back', async () => {
  const request = await (await Proposals.of(service, 'stored')).fact('bridge');
  const opened = await reviewing(await service.token('council'), request);
  const { page } = opened;
  await eventStore.kill();
  await why(opened).press('Control+Enter');
  await page.getByText('The event store is not available:').waitFor();
  await tray(opened).getByText('Not answered yet, sent again by itself').waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  await eventStore.restart();
  await page.getByText('The event store is not available:').waitFor({ state: 'detached' });
  await isDecided(opened);
  await tray(opened).waitFor({ state: 'detached' });
  expect(await votesOn(request.request_id)).toBe(1);
  await opened.close();
});

test('a read model that is behind is named with what to do, and the page shows the write when it has caught up', async () => {
  const user = named('lagging').toLowerCase();
  const token = await service.token('user', { sub: user, user_id: user });
  const opened = await browser.open(service, token, '/privacy/erasures');
  const { page } = opened;
  await page.getByText('No erasure was asked for').waitFor();
  await rows.query('begin');
  await rows.query('lock table action_requests.request in share row exclusive mode');
  await page.getByLabel('Justification').fill('I want to be forgotten.');
  await page.getByRole('button', { name: 'Ask for the erasure' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'That change is not visible yet' });
  await alert.getByText('catches up by itself').waitFor();
  await alert.getByText('Trace id').waitFor();
  expect(await opened.violations()).toStrictEqual([]);
  await rows.query('rollback');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('row', { name: new RegExp(`user:${user}`) }).waitFor();
  await alert.waitFor({ state: 'detached' });
  await opened.close();
});

test('a token that expires in mid-review is asked for again, and the decision that was typed is sent with it', async () => {
  const request = await (await Proposals.of(service, 'expired')).fact('ferry');
  const sub = named('tired');
  const opened = await reviewing(await service.token('council', { sub, ttl: 600 }), request);
  const { page } = opened;
  await page.clock.install();
  await page.clock.fastForward(601_000);
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Token or sign-in link').fill(await service.token('council', { sub }));
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  // The request is read again with the new token.
  await opened.settled();
  expect(await why(opened).inputValue()).toBe('I crossed it.');
  await why(opened).press('Control+Enter');
  await isDecided(opened);
  await sendNow(opened);
  expect(await votesOn(request.request_id)).toBe(1);
  await opened.close();
});

test('read models that are behind for the same reason are named in one sentence', async () => {
  const opened = await browser.open(service, await service.token('auditor'), '/facts');
  const down = { status: 'down', reason: 'no process projects this read model' };
  await opened.page.route('**/health/ready', (route) =>
    route.fulfill({
      status: 503,
      json: { details: { projection_sem: down, projection_jobs: down, projection_notes: down } },
    }),
  );
  await opened.page.reload();
  await opened.page
    .getByText('3 read models are behind: no process projects this read model.')
    .waitFor();
  expect(await opened.page.getByText('The read model sem is behind').count()).toBe(0);
  await opened.close();
});
