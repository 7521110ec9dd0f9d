import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Caller } from '#test/support/caller.js';
import { LogReader } from '#test/support/read-log.js';
import { aLog } from '#test/support/reflective-logs.js';
import {
  type OwnEventStore,
  startOwnEventStore,
  startTestPostgres,
} from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

describe('The pages about integrity', () => {
  let eventStore: OwnEventStore;
  let service: TestService;
  let browser: ConsoleBrowser;
  let rows: pg.Client;
  let log: LogReader;
  let admin: Caller;
  let auditor: ConsolePage;
  let operator: ConsolePage;

  beforeAll(async () => {
    eventStore = await startOwnEventStore();
    const servers = { eventStore, postgres: await startTestPostgres() };
    service = await TestService.start({ servers, environment: { MACE_VERIFY_LOGS_MINUTES: '0' } });
    browser = await ConsoleBrowser.start();
    rows = new pg.Client({ connectionString: service.postgres.url });
    await rows.connect();
    log = new LogReader(eventStore.url);
    admin = await Caller.of(service, 'admin');
    auditor = await browser.open(service, await service.token('auditor'), '/integrity');
    operator = await browser.open(service, admin.token, '/integrity/projections');
  });
  afterAll(async () => {
    await rows?.end();
    await log?.close();
    await browser?.stop();
    await service?.stop();
    await Promise.all([eventStore?.stop(), service?.postgres.stop()]);
  });

  const text = (page: ConsolePage, words: string | RegExp) => page.page.getByText(words).first();

  it('an auditor makes a checkpoint, sees its age and its places, and compares the log with it', async () => {
    const { page } = auditor;
    await auditor.goto('/integrity/checkpoints');
    await text(auditor, 'No checkpoint was made yet').waitFor();
    await text(auditor, 'No place outside keeps the checkpoints').waitFor();
    await page.getByRole('button', { name: 'Make a checkpoint now' }).click();
    const row = page.getByRole('region', { name: 'Checkpoints' }).getByRole('row').nth(1);
    await row.waitFor();
    expect(await row.innerText()).toMatch(/now[^]*intact[^]*the data directory kept/);
    expect(await row.locator('time').getAttribute('title')).toMatch(/^\d{4}-.*Z$/);
    await row.getByRole('button', { name: 'Compare' }).click();
    await text(auditor, 'The log has everything that the checkpoint has, unchanged.').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      row.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.checkpoint$/);
    const file = await download.path();
    const [keys] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the public keys' }).click(),
    ]);
    expect(keys.suggestedFilename()).toBe('keys.json');
    const published = await fetch(`${service.url}/.well-known/jwks.json`);
    expect(JSON.parse(await readFile(await keys.path(), 'utf8'))).toStrictEqual(
      await published.json(),
    );
    await page.getByLabel('Compare the log with a file').setInputFiles(file);
    await text(auditor, 'a key of this service').waitFor();
    expect(await auditor.violations()).toStrictEqual([]);
    await auditor.goto('/integrity');
  });

  it('an auditor starts a verification and sees its result, its figures and the run among the past ones', async () => {
    const { page } = auditor;
    await text(auditor, 'This log was not verified yet').waitFor();
    expect(await auditor.violations()).toStrictEqual([]);
    await page.getByRole('button', { name: 'Verify the log now' }).click();
    const past = page.getByRole('region', { name: 'Past verifications' }).getByRole('row');
    await past.nth(1).waitFor();
    await text(auditor, /^[\d,]+ events? of [\d,]+ streams? are intact\.$/).waitFor();
    // Without the decisions, the page says so instead of showing them as right.
    expect(await past.nth(1).innerText()).toMatch(
      /intact[^]*not checked[^]*\bauditor\S* in the console/,
    );
    await text(auditor, /^\S*auditor\S* in the console$/).waitFor();
    await page.getByLabel('Decide every stream again as well').check();
    await page.getByRole('button', { name: 'Verify the log now' }).click();
    await page
      .getByText(/streams? decided again/)
      .first()
      .waitFor();
    expect(await auditor.violations()).toStrictEqual([]);
  });

  it('a finding is named with its stream, its event and what it means', async () => {
    await admin.did('PUT', 'sem/world/fact/sky/colour', { body: { value: 'blue' } });
    await log.copyFirst('sem-world/fact/sky/colour', 'elsewhere-1');
    await auditor.page.getByRole('button', { name: 'Verify the log now' }).click();
    const findings = auditor.page.getByRole('region', { name: 'Findings', exact: true });
    await findings.getByText('elsewhere-1').waitFor();
    await findings.getByText('No rule of this release knows the stream').waitFor();
    expect(await auditor.violations()).toStrictEqual([]);
  });

  it('a changed ReflectiveLog goes to quarantine, where both versions stand side by side', async () => {
    const log = aLog();
    const { log_id } = await admin.post<{ log_id: string }>('reflective-logs', log);
    await admin.get(`reflective-logs/${log_id}`);
    await rows.query(
      `update reflective_logs.reflective_log_stage0 set final_answer = '"<b>forged</b>"' where log_id = $1`,
      [log_id],
    );
    await auditor.page.getByRole('button', { name: 'Check the ReflectiveLogs' }).click();
    await auditor.page.getByRole('link', { name: 'In quarantine' }).click();
    await auditor.page.getByRole('heading', { level: 1, name: 'Quarantine' }).waitFor();
    const [found, recorded] = ['Found in the read model', 'Recorded in the log'].map((name) =>
      auditor.page.getByRole('region', { name }),
    );
    await found?.getByText('<b>forged</b>').waitFor();
    expect(await recorded?.innerText()).toContain('final_answer');
    expect(await recorded?.innerText()).not.toContain('forged');
    expect(await auditor.violations()).toStrictEqual([]);
  });

  it('a log that is refused, and a row that is found changed, appear in the open quarantine', async () => {
    await auditor.goto('/integrity/quarantine');
    const entries = auditor.page.locator('details');
    await entries.first().waitFor();
    const before = await entries.count();
    await admin.refused('LOG_INVALID', 'POST', 'reflective-logs', { body: { log_id: 'none' } });
    await entries.nth(before).getByText('a submitted log was refused').waitFor();
    const { log_id } = await admin.post<{ log_id: string }>('reflective-logs', aLog());
    await admin.get(`reflective-logs/${log_id}`);
    await rows.query('delete from reflective_logs.reflective_log_stage0 where log_id = $1', [
      log_id,
    ]);
    await admin.post('reflective-logs/verification');
    await entries
      .nth(before + 1)
      .getByText('a row was deleted')
      .waitFor();
    expect(await auditor.violations()).toStrictEqual([]);
  });

  it('a verification that somebody else starts appears on the open page, with what it finds', async () => {
    const { page } = auditor;
    await auditor.goto('/integrity');
    const past = page.getByRole('region', { name: 'Past verifications' }).getByRole('row');
    await past.nth(1).waitFor();
    const before = await past.count();
    await log.copyFirst('sem-world/fact/sky/colour', 'elsewhere-2');
    await admin.post('integrity/verification', { means: 'command_line' });
    const findings = page.getByRole('region', { name: 'Findings', exact: true });
    await findings.getByText('elsewhere-2').waitFor();
    await past.nth(before).waitFor();
    expect(await past.nth(1).innerText()).toContain('by the command line');
  });

  it('the read models show their progress, and an admin rebuilds one after a question', async () => {
    const { page } = operator;
    const row = page.getByRole('row', { name: /^jobs / });
    await row.getByText('follows the log').waitFor();
    expect(await operator.violations()).toStrictEqual([]);
    await row.getByRole('button', { name: 'Rebuild jobs' }).click();
    await page.getByRole('dialog', { name: 'Rebuild jobs?' }).waitFor();
    expect(await operator.violations()).toStrictEqual([]);
    await page.getByRole('button', { name: 'Rebuild it' }).click();
    await page.getByRole('status').getByText('The rebuild of jobs has begun.').waitFor();
    await row.getByText('follows the log').waitFor();
    // An auditor sees the read models without the control.
    await auditor.goto('/integrity/projections');
    await auditor.page.getByRole('row', { name: /^jobs / }).waitFor();
    expect(await auditor.page.getByRole('button', { name: /Rebuild/ }).count()).toBe(0);
  });

  it('a stopped read model is named with the event and the reason', async () => {
    await rows.query(
      `update read_models.projection set stopped_position = 7, stopped_stream = 'job-<i>x</i>', stopped_number = 3,
         stopped_type = 'job_started', stopped_reason = 'the event does not fit' where name = 'notes'`,
    );
    await operator.page.getByText('The read model notes has stopped').waitFor();
    await operator.page.getByText('job-<i>x</i>', { exact: true }).waitFor();
    expect(await operator.violations()).toStrictEqual([]);
    await rows.query(
      `update read_models.projection set stopped_position = null where name = 'notes'`,
    );
    await operator.page
      .getByText('The read model notes has stopped')
      .waitFor({ state: 'detached' });
  });

  it('an admin sees what waits for room, retries it, and removes it after a question', async () => {
    await operator.goto('/integrity/storage');
    await text(operator, 'No write waits').waitFor();
    expect(await operator.violations()).toStrictEqual([]);
    const limit = async (quotaBytes: number | undefined): Promise<void> => {
      await eventStore.kill();
      eventStore.limit(quotaBytes);
      await eventStore.restart();
      while ((await admin.ask('GET', 'jobs')).status !== 200);
    };
    await limit(0);
    for (const name of ['one', 'two'])
      await admin.refused('STORAGE_FULL', 'PUT', `sem/world/fact/${name}/value`, {
        body: { value: 'vermilion' },
      });
    const { page } = operator;
    const waiting = page.getByRole('region', { name: 'Waiting writes' }).getByRole('row');
    await waiting.nth(2).waitFor();
    await text(operator, 'The log has no room: writes are refused').waitFor();
    expect(await operator.violations()).toStrictEqual([]);
    const row = waiting.filter({ hasText: 'sem-world/fact/one/value' });
    await row.getByRole('button', { name: /^Remove/ }).click();
    await page.getByRole('button', { name: 'Remove it for good' }).click();
    await row.waitFor({ state: 'detached' });
    await limit(undefined);
    await waiting
      .filter({ hasText: 'fact/two' })
      .getByRole('button', { name: /^Retry/ })
      .click();
    await text(operator, 'No write waits').waitFor();
    expect((await admin.get('sem/world/fact/two/value'))['value']).toBe('vermilion');
    expect(await page.content()).not.toContain('vermilion');
  });
});
