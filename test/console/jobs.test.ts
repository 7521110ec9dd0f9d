import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MaceClient } from '#client/mace-client.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

const SESSION = named('many');
const OWNER = named('ana');
const PAGES_OF_50 = 52;

let service: TestService;
let browser: ConsoleBrowser;
let auditor: ConsolePage;

beforeAll(async () => {
  [service, browser] = await Promise.all([TestService.shared(), ConsoleBrowser.start()]);
  const token = await service.token(['agent'], { sub: OWNER });
  const agent = new MaceClient({ baseUrl: service.url, token });
  for (let n = 1; n <= PAGES_OF_50; n += 1)
    await agent.jobs.start({
      job_seed: named(`job-${n}`),
      session_id: SESSION,
      goal: `Pack box ${n}`,
    });
  await agent.job(named('job-3')).end();
  const sample = `sample-${named('trip')}`;
  await agent.jobs.start({ job_seed: sample, session_id: SESSION, goal: 'A trip to practise on' });
  await agent.job(sample).end();
  const other = await service.token(['agent']);
  await new MaceClient({ baseUrl: service.url, token: other }).jobs.start({
    ...{ job_seed: named('foreign'), goal: '<b>Fly</b> to \u202egnikciF' },
  });
  auditor = await browser.open(service, await service.token(['auditor']), '/jobs');
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

const seeds = ({ page }: ConsolePage): Promise<string[]> =>
  page.locator('tbody tr th div').allInnerTexts();

test('the jobs of the sample are listed only if somebody asks for them', async () => {
  const { page } = auditor;
  await auditor.goto(`/jobs?owner=${OWNER}&session=${SESSION}&status=ended`);
  await page.getByRole('link', { name: 'Pack box 3', exact: true }).waitFor();
  expect(await seeds(auditor)).not.toContain(`sample-${named('trip')}`);
  await page.getByLabel('Sample').selectOption('shown');
  await page.getByRole('link', { name: 'A trip to practise on', exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('sample')).toBe('true');
  await page.getByLabel('Sample').selectOption('hidden');
  await page
    .getByRole('link', { name: 'A trip to practise on', exact: true })
    .waitFor({ state: 'detached' });
});

test('jobs are listed newest first with their goals, and older ones come in pages', async () => {
  const { page } = auditor;
  await auditor.goto(`/jobs?session=${SESSION}`);
  await page.getByRole('link', { name: `Pack box ${PAGES_OF_50}`, exact: true }).waitFor();
  expect((await seeds(auditor))[0]).toBe(named(`job-${PAGES_OF_50}`));
  expect(await page.getByRole('rowheader').count()).toBe(50);
  await page.getByRole('button', { name: 'Show older jobs' }).click();
  await page.getByRole('link', { name: 'Pack box 1', exact: true }).waitFor();
  expect(await page.getByRole('rowheader').count()).toBe(PAGES_OF_50);
  expect(await auditor.violations()).toStrictEqual([]);
});

test('filters on status, session and owner are combined and stand in the address', async () => {
  const { page } = auditor;
  await auditor.goto('/jobs');
  await page.getByLabel('Session').fill(SESSION);
  await page.getByLabel('Owner').fill(OWNER);
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('Status').selectOption('ended');
  await page.waitForURL((url) => url.searchParams.get('status') === 'ended');
  const address = new URL(page.url()).searchParams;
  expect([address.get('session'), address.get('owner')]).toStrictEqual([SESSION, OWNER]);
  await page.getByRole('link', { name: 'Pack box 3', exact: true }).waitFor();
  expect(await seeds(auditor)).toStrictEqual([named('job-3')]);
  await page.reload();
  await page.getByRole('link', { name: 'Pack box 3', exact: true }).waitFor();
  expect(await seeds(auditor)).toStrictEqual([named('job-3')]);
});

test('a list without a job says what to do, and so does a list that cannot be read', async () => {
  const { page } = auditor;
  await auditor.goto(`/jobs?session=${SESSION}&owner=nobody`);
  await page.getByText('No job meets these filters').waitFor();
  expect(await auditor.violations()).toStrictEqual([]);
  await page.route('**/v1/jobs?*', (route) => route.abort());
  await auditor.goto(`/jobs?session=${SESSION}`);
  await page.getByRole('alert').filter({ hasText: 'The service cannot be reached' }).waitFor();
  expect(await auditor.violations()).toStrictEqual([]);
  await page.unroute('**/v1/jobs?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'Pack box 52', exact: true }).waitFor();
});

test('an owner sees only its own jobs, and a goal with markup and hidden characters is shown as text', async () => {
  const { page } = auditor;
  await page.goto(`${service.url}/console/jobs`);
  await page
    .getByRole('link', { name: /<b>Fly<\/b> to/ })
    .first()
    .waitFor();
  expect(await page.locator('tbody b').count()).toBe(0);
  expect(await page.getByRole('link', { name: /U\+202E/ }).count()).toBeGreaterThan(0);
  const own = await browser.open(service, await service.token(['agent'], { sub: OWNER }), '/jobs');
  await own.page.getByRole('link', { name: 'Pack box 52', exact: true }).waitFor();
  expect(await own.page.getByText(named('foreign')).count()).toBe(0);
  await own.close();
});
