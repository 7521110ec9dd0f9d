import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';
import { Proposals } from './support/proposals.js';
import { sendNow } from './support/votes.js';

const PHONE = '+1 415 555 0132';
const FOUND = 'What the rules found in the value';
const BUTTON = 'Not personal data: phone, characters 9 to 23 of build';

let service: TestService;
let browser: ConsoleBrowser;

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  browser = await ConsoleBrowser.start();
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

async function open(name: string, { request_id }: { readonly request_id: string }) {
  const token = await service.token('council', { sub: named(name) });
  const opened = await browser.open(service, token, `/requests/${request_id}`);
  await opened.page.getByRole('heading', { name: FOUND }).waitFor();
  return opened;
}

async function clear({ page }: ConsolePage, reason: string): Promise<void> {
  await page.getByRole('button', { name: BUTTON }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Record it' }).click();
  await dialog.getByText('Say why it is not personal data.').waitFor();
  await dialog.getByLabel('Why it is not personal data').fill(reason);
  await dialog.getByRole('button', { name: 'Record it' }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('W8 two members say of a finding that it is not personal data, and the page says who', async () => {
  const proposals = await Proposals.of(service, 'flagged');
  const request = await proposals.fact('flagged', { build: `version ${PHONE}` });
  const ann = await open('ann', request);
  await clear(ann, 'It is a version.');
  const said = (name: string) => `${named(name)} says that it is not personal data`;
  await ann.page.getByText(said('ann')).waitFor();
  expect(await ann.page.getByRole('button', { name: BUTTON }).count()).toBe(0);
  expect(await ann.page.content()).not.toContain(PHONE);
  expect(await ann.violations()).toStrictEqual([]);
  const bob = await open('bob', request);
  await bob.page.getByText(said('ann')).waitFor();
  await clear(bob, 'The build says so.');
  // The page of the first member follows the log.
  await ann.page.getByText(said('bob')).waitFor();
  await bob.page.getByRole('button', { name: 'Approve' }).first().click();
  await bob.page.getByLabel('In your words').fill('It is so.');
  await bob.page.keyboard.press('Control+Enter');
  await bob.page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
  await sendNow(bob);
  const agent = await Caller.of(service, 'agent', { sub: named('reader') });
  const key = proposals.keyOf('flagged');
  expect(await agent.get(`sem/${key}`)).toMatchObject({ value: { build: `version ${PHONE}` } });
  expect([...ann.errors, ...bob.errors]).toStrictEqual([]);
  await ann.close();
  await bob.close();
});

test('W8 the page offers no clearance of data of category high', async () => {
  const proposals = await Proposals.of(service, 'high');
  const request = await proposals.fact('high', { card: '4539 1488 0343 6467' });
  const opened = await open('cid', request);
  await opened.page.getByText('Nobody can clear these').waitFor();
  expect(await opened.page.getByRole('button', { name: /^Not personal data/ }).count()).toBe(0);
  await opened.close();
});

test('W8 a clearance that is being written is closed when another value takes the place of the one that was read', async () => {
  const proposals = await Proposals.of(service, 'swapped');
  const request = await proposals.fact('swapped', { build: `version ${PHONE}` });
  const opened = await open('eve', request);
  await opened.page.getByRole('button', { name: BUTTON }).click();
  await opened.page.getByRole('dialog').waitFor();
  const editor = await Caller.of(service, 'council', { sub: named('editor') });
  await editor.post(`action-requests/${request.request_id}/revisions`, {
    ...{ value: { build: 'version +1 415 555 0177' }, reason: 'Another one.' },
  });
  await opened.page.getByRole('dialog').waitFor({ state: 'detached' });
  await opened.close();
});
