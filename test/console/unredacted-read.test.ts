import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Role } from '#platform/auth/roles.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

const EMAIL = 'jana.horvat@siol.test';
const REASON = 'Case 7: is the address right – prüfen';

describe('Reading personal data unredacted (SPEC G7)', () => {
  let service: TestService;
  let browser: ConsoleBrowser;
  const user = named('unredacted-user').toLowerCase().replaceAll('-', '_');
  const job = named('unredacted-job');
  const key = `user/profile/user_${user}/contact`;
  let episode: string;
  let request: string;

  const open = async (role: Role, path: string): Promise<ConsolePage> =>
    browser.open(service, await service.token(role, { sub: named(`page-${role}`) }), path);
  const button = ({ page }: ConsolePage) => page.getByRole('button', { name: 'Read unredacted …' });
  const shown = ({ page }: ConsolePage) => page.getByRole('region', { name: /^Unredacted: / });

  /** Gives a reason in the dialog, by keyboard alone, and waits for the value. */
  async function read(opened: ConsolePage, reason: string): Promise<void> {
    const { page } = opened;
    await button(opened).press('Enter');
    await page.getByLabel('Why you read it').fill(reason);
    await page.keyboard.press('Control+Enter');
    await shown(opened).getByText(EMAIL).first().waitFor();
  }

  beforeAll(async () => {
    service = await TestService.shared();
    browser = await ConsoleBrowser.start();
    const person = await Caller.of(service, 'user', { sub: user, user_id: user });
    const agent = await Caller.of(service, 'agent', { user_id: user });
    await person.post('consents', { text: 'Keep it.', scope: 'persistent' });
    await person.did('PUT', `sem/${key}`, { body: { value: EMAIL } });
    await agent.post('jobs', { job_seed: job });
    await agent.post(`jobs/${job}/wm`, { type: 'fact', value: EMAIL });
    ({ episodic_id: episode } = await agent.post<{ episodic_id: string }>(`jobs/${job}/episodes`, {
      summary: 'Reached the user',
      payload: { to: EMAIL },
    }));
    ({ request_id: request } = await agent.post<{ request_id: string }>('action-requests', {
      ...{ episodic_id: episode, target_sem_key: key, value: { to: EMAIL } },
      justification: 'It was said.',
    }));
  });
  afterAll(async () => {
    await browser?.stop();
    await service?.stop();
  });

  it('asks an admin for a reason, records it before it shows the value, and offers the receipt', async () => {
    const admin = await open('admin', `/facts/${key}`);
    const { page } = admin;
    await button(admin).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Read it unredacted?' });
    await dialog.getByText('The log first records, for good, that you read it').waitFor();
    await page.keyboard.press('Control+Enter');
    await dialog.getByText('Say why you have to read it.').waitFor();
    expect(await admin.violations()).toStrictEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(EMAIL);

    await read(admin, `${REASON} of ${EMAIL}`);
    const focused = page.locator('section:focus');
    expect(await focused.getAttribute('aria-label')).toBe(`Unredacted: the fact ${key}`);
    expect(await admin.violations()).toStrictEqual([]);
    const download = page.waitForEvent('download');
    await shown(admin)
      .getByRole('button', { name: /^Download the signed receipt/ })
      .click();
    const receipt: unknown = JSON.parse(await readFile(await (await download).path(), 'utf8'));
    expect(receipt).toMatchObject({
      document: 'mace-receipt-2',
      event: {
        data: {
          ...{ stream: `sem-${key}`, version: null },
          reason: `${REASON} of [REDACTED:email]`,
        },
        metadata: { actor: named('page-admin') },
      },
    });
    await page.setViewportSize({ width: 400, height: 800 });
    expect(await admin.overflow()).toBe(0);
    expect(admin.errors).toStrictEqual([]);
    await admin.close();
  });

  it('keeps the value in no address, no storage and no cache: it is gone when the page is left', async () => {
    const admin = await open('admin', `/facts/${key}`);
    const { page } = admin;
    const urls: string[] = [];
    page.on('request', (sent) => urls.push(sent.url()));
    await read(admin, REASON);
    const kept = await page.evaluate(() =>
      JSON.stringify([location.href, history.state, { ...sessionStorage }, { ...localStorage }]),
    );
    for (const text of [kept, ...urls]) {
      expect(text).not.toContain(EMAIL);
      expect(decodeURIComponent(text)).not.toContain('Case 7');
    }
    await page.getByRole('link', { name: 'Why is this so?' }).click();
    await page.getByRole('cell', { name: REASON, exact: true }).first().waitFor();
    await page.goBack();
    await button(admin).waitFor();
    expect(await page.content()).not.toContain(EMAIL);
    await read(admin, REASON);
    await page.getByRole('button', { name: 'Hide it now' }).click();
    await button(admin).waitFor();
    expect(await page.content()).not.toContain(EMAIL);
    await admin.close();
  });

  it('a reader of the council reads an episode, a request and the state of a job', async () => {
    const council = await open('council', `/why?kind=episode&id=${episode}`);
    const { page } = council;
    await read(council, 'For the episode');
    expect(await council.violations()).toStrictEqual([]);
    await council.goto(`/requests/${request}`);
    await read(council, 'For the request');
    expect(await council.violations()).toStrictEqual([]);
    await council.goto(`/jobs/${job}?at=1`);
    await read(council, 'For the job');
    expect(await council.violations()).toStrictEqual([]);
    // The value belongs to one place of the cursor.
    await page.getByRole('button', { name: 'Hide it now' }).waitFor();
    await page.getByText('Go to …').click();
    await page.getByRole('textbox', { name: 'Event' }).fill('2');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^State after event 2/ }).waitFor();
    expect(await page.content()).not.toContain(EMAIL);
    await council.goto(`/privacy/accesses?sub=${named('page-council')}`);
    for (const [reason, stream] of [
      ['For the job', `job-${job}`],
      ['For the request', `request-${request}`],
      ['For the episode', `job-${job}`],
    ] as const)
      await page
        .getByRole('row', { name: new RegExp(reason) })
        .getByText(stream)
        .waitFor();
    expect(await council.violations()).toStrictEqual([]);
    await council.close();
  });

  it('a reading that fails says why, and keeps the reason that was typed', async () => {
    const admin = await open('admin', `/facts/${key}`);
    const { page } = admin;
    await page.route('**/*unredacted=true*', (route) => route.abort());
    await button(admin).click();
    await page.getByLabel('Why you read it').fill(REASON);
    await page.getByRole('button', { name: /^Record and read/ }).click();
    await page.getByText('The service cannot be reached').waitFor();
    expect(await page.getByLabel('Why you read it').inputValue()).toBe(REASON);
    expect(await admin.violations()).toStrictEqual([]);
    await page.unroute('**/*unredacted=true*');
    await page.keyboard.press('Control+Enter');
    await shown(admin).getByText(EMAIL).waitFor();
    await admin.close();
  });

  it('other roles see no control, and nobody sees one where nothing is redacted', async () => {
    const paths = [`/facts/${key}`, `/why?kind=episode&id=${episode}`, `/jobs/${job}?at=1`];
    const auditor = await open('auditor', '/');
    for (const path of paths) {
      await auditor.goto(path);
      await auditor.settled();
      await auditor.page.getByText('redacted').first().waitFor();
      expect(await button(auditor).count()).toBe(0);
    }
    await auditor.close();
    const own = await browser.open(
      service,
      await service.token(['user', 'admin'], { sub: user, user_id: user }),
      `/facts/${key}`,
    );
    await own.page.getByRole('figure', { name: 'Value', exact: true }).getByText(EMAIL).waitFor();
    expect(await button(own).count()).toBe(0);
    await own.close();
  });
});

// The functions above that run in the page know these.
declare const location: { readonly href: string };
declare const history: { readonly state: unknown };
declare const sessionStorage: object;
declare const localStorage: object;
