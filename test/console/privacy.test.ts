import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readReceipt } from '#domain/replay/receipt.js';
import { consentStream } from '#domain/stream-names.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

const EMAIL = 'jana.horvat@siol.test';

describe('The pages about privacy', () => {
  let service: TestService;
  let browser: ConsoleBrowser;
  let council: Caller;
  let log: LogReader;
  const user = named('privacy-user').toLowerCase();
  const reader = named('privacy-reader');
  const job = named('privacy-job');

  const open = async (
    role: 'user' | 'auditor' | 'admin' | 'council',
    path: string,
  ): Promise<ConsolePage> => {
    const who = role === 'user' ? { sub: user, user_id: user } : { sub: named(`page-${role}`) };
    return browser.open(service, await service.token(role, who), path);
  };

  beforeAll(async () => {
    service = await TestService.start({ environment: { MACE_RETENTION_DAYS: '0' } });
    browser = await ConsoleBrowser.start();
    log = new LogReader(service.eventStore.url);
    council = await Caller.of(service, 'council', { sub: reader });
    const agent = await Caller.of(service, 'agent', { user_id: user });
    await agent.post('jobs', { job_seed: job });
    await agent.post(`jobs/${job}/wm`, { type: 'fact', value: EMAIL });
    await council.get(`jobs/${job}?unredacted=true`);
    const refused = await Caller.of(service, 'agent', { sub: reader });
    await refused.refused('PERMISSION_DENIED', 'POST', `jobs/${job}/ticks`, { body: {} });
  });
  afterAll(async () => {
    await browser?.stop();
    await log?.close();
    await service?.stop();
  });

  it('a user gives a consent and revokes it, and an auditor sees both by the user’s id', async () => {
    const own = await open('user', '/privacy');
    const { page } = own;
    await page.getByText('You have given no consent').waitFor();
    expect(await own.violations()).toStrictEqual([]);
    await page.getByLabel('What you agree to').fill('Keep <b>my</b> words.');
    await page.getByRole('button', { name: 'Give the consent' }).click();
    await page.getByRole('rowheader', { name: 'Keep <b>my</b> words.' }).waitFor();
    await page.getByRole('button', { name: /^Revoke user_/ }).click();
    expect(await own.violations()).toStrictEqual([]);
    await page.getByRole('button', { name: 'Revoke it' }).click();
    await page.getByRole('cell', { name: /^revoked/ }).waitFor();
    await own.close();

    const watching = await open('auditor', '/privacy');
    await watching.page.getByRole('searchbox', { name: 'User' }).fill(user.toUpperCase());
    const list = watching.page.getByRole('region', { name: 'Consents of all users' });
    await list.getByRole('rowheader', { name: user }).waitFor();
    await watching.page.waitForURL(/user=/);
    expect(await list.getByRole('button').count()).toBe(0);
    await watching.page.getByLabel('State').selectOption('given');
    await watching.page.getByText('There is no such consent').waitFor();
    expect(await watching.violations()).toStrictEqual([]);
    // Before it was revoked, it was given, for the auditor and for the user.
    const events = await log.events(consentStream(user));
    const [given, revoked] = events.map(({ position }) => position);
    await watching.goto(`/privacy?user=${user}&moment=${given}`);
    await list.getByRole('cell', { name: 'given', exact: true }).waitFor();
    await watching.goto(`/privacy?user=${user}&moment=${revoked}`);
    await list.getByRole('cell', { name: /^revoked/ }).waitFor();
    await watching.goto(`/privacy/accesses?sub=${reader}&moment=${given}`);
    await watching.page.getByRole('row', { name: new RegExp(reader) }).waitFor();
    await watching.close();
    const then = await open('user', `/privacy?moment=${given}`);
    await then.page.getByRole('cell', { name: 'given', exact: true }).waitFor();
    expect(await then.page.getByRole('button', { name: /^(?:Revoke|Give)/ }).count()).toBe(0);
    await then.close();
  });

  it('an auditor sees who read what unredacted, and downloads the receipt', async () => {
    const auditor = await open('auditor', `/privacy/accesses?sub=${reader}`);
    const { page } = auditor;
    const row = page.getByRole('row', { name: new RegExp(reader) });
    await row.getByText(`job-${job}`).waitFor();
    const download = page.waitForEvent('download');
    await row.getByRole('button', { name: /^Download the signed receipt/ }).click();
    const receipt = await readFile(await (await download).path(), 'utf8');
    expect(readReceipt(receipt)).toMatchObject({
      receipt: { event: { data: { stream: `job-${job}` }, metadata: { actor: reader } } },
    });
    expect(await auditor.violations()).toStrictEqual([]);

    await auditor.goto(`/privacy/refusals?sub=${reader}`);
    await page.getByRole('cell', { name: 'POST /v1/jobs/:seed/ticks' }).waitFor();
    await page.getByText('PERMISSION_DENIED').waitFor();
    expect(await auditor.violations()).toStrictEqual([]);

    await auditor.goto('/privacy/retention');
    await page.getByText('The retention period is 0 days.').waitFor();
    await page
      .getByRole('row', { name: new RegExp(`user:${user}`) })
      .getByText('due')
      .waitFor();
    expect(await auditor.violations()).toStrictEqual([]);
    expect(await page.content()).not.toContain(EMAIL);
    await auditor.close();
  });

  it('an erasure goes from the user’s request over the council to an admin, who types the subject', async () => {
    const own = await open('user', '/privacy/erasures');
    await own.page.getByLabel('Justification').fill('I want to be forgotten.');
    await own.page.getByRole('button', { name: 'Ask for the erasure' }).click();
    const subject = `user:${user}`;
    const ownRow = own.page.getByRole('row', { name: new RegExp(subject) });
    await ownRow.getByText('waits for the council').waitFor();
    expect(await own.violations()).toStrictEqual([]);
    await own.close();

    interface Listed {
      readonly request_id: string;
      readonly proposal_hash: string;
      readonly value: { readonly subject: string };
    }
    const { action_requests: requests } = await council.get<{ action_requests: Listed[] }>(
      'action-requests?kind=erasure&limit=500',
    );
    const asked = requests.find(({ value }) => value.subject === subject);
    await council.post(`action-requests/${asked?.request_id}/votes`, {
      vote: 'approve',
      reason: 'The subject asked for it.',
      proposal_hash: asked?.proposal_hash,
    });

    const admin = await open('admin', '/privacy/erasures');
    const { page } = admin;
    await page.getByRole('button', { name: `Execute the erasure of ${subject}` }).click();
    const destroy = page.getByRole('button', { name: 'Destroy the keys' });
    await page.getByLabel('Type the subject').fill('user:somebody');
    expect(await destroy.isDisabled()).toBe(true);
    expect(await admin.violations()).toStrictEqual([]);
    await page.getByLabel('Type the subject').fill(subject);
    await destroy.click();
    await page.getByRole('heading', { name: 'The keys are destroyed' }).waitFor();
    expect(await admin.violations()).toStrictEqual([]);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the signed receipt' }).click();
    const receipt: unknown = JSON.parse(await readFile(await (await download).path(), 'utf8'));
    expect(receipt).toMatchObject({ kind: 'mace_erasure_receipt', subject });
    await page.getByRole('button', { name: 'Close' }).click();
    const row = page.getByRole('row', { name: new RegExp(subject) });
    await row.getByRole('button', { name: /^Show the receipt/ }).waitFor();
    expect(await page.content()).not.toContain(EMAIL);
    await admin.close();
  });

  it('a reviewer of an erasure sees whose data goes, how much, what stays, and why nobody executes it yet', async () => {
    const other = named('reviewed-user').toLowerCase();
    const subject = `user:${other}`;
    const owner = await Caller.of(service, 'user', { sub: other, user_id: other });
    const agent = await Caller.of(service, 'agent', { user_id: other });
    await agent.post('jobs', { job_seed: named('reviewed-job') });
    for (const value of [EMAIL, `b.${EMAIL}`])
      await agent.post(`jobs/${named('reviewed-job')}/wm`, { type: 'fact', value });
    const asked = await owner.post<Record<'request_id' | 'proposal_hash', string>>(
      'action-requests',
      {
        ...{ kind: 'erasure', subject, reason_code: 'legal_erasure' },
        justification: 'I want to be forgotten.',
      },
    );
    const path = `/requests/${asked.request_id}`;
    const admin = await open('admin', path);
    const { page } = admin;
    await page.getByText(`${other} asks by right of erasure, `).waitFor();
    await page.getByText('“I want to be forgotten.”').waitFor();
    await page.getByText(`2 values would be destroyed: data of the proposer, ${subject}`).waitFor();
    await page.getByText('Whoever executes it reads the reasons of the reviewers.').waitFor();
    const row = page.getByRole('row', { name: /^Jobs and their episodes/ });
    expect(await row.getByRole('cell').allInnerTexts()).toMatchObject(['2', expect.any(String)]);
    await page.getByText('The council has not decided yet.').waitFor();
    await page.getByText('If you vote on it, another admin has to execute it.').waitFor();
    const execute = page.getByRole('button', { name: /^Execute the erasure/ });
    expect(await execute.count()).toBe(0);
    expect(await admin.violations()).toStrictEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await admin.overflow()).toBe(0);

    const voter = named('voting-admin');
    const voting = await Caller.of(service, 'admin', { sub: voter });
    const { proposal_hash } = asked;
    await voting.post(`action-requests/${asked.request_id}/votes`, {
      ...{ vote: 'approve', reason: 'The subject asked for it.', proposal_hash },
    });
    const beside = await browser.open(service, await service.token('admin', { sub: voter }), path);
    await beside.page.getByText(/You voted on it, so another admin executes it/).waitFor();
    await beside.goto('/privacy/erasures');
    const listed = beside.page.getByRole('row', { name: new RegExp(subject) });
    await listed.getByText(/You voted on it/).waitFor();
    expect(await listed.getByRole('button').count()).toBe(0);
    expect(await beside.violations()).toStrictEqual([]);
    await beside.close();

    await execute.click();
    await page.getByLabel('Type the subject').fill(subject);
    await page.getByRole('button', { name: 'Destroy the keys' }).click();
    await page.getByRole('heading', { name: 'The keys are destroyed' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('2 values destroyed').waitFor();
    await page.getByRole('button', { name: 'Show the receipt' }).waitFor();
    expect(await page.content()).not.toContain(EMAIL);
    await admin.close();
  });

  it('a consent, a read, a refusal and an erasure appear on the open pages of those who watch', async () => {
    const other = named('watched-user').toLowerCase();
    const owner = await Caller.of(service, 'user', { sub: other, user_id: other });
    const pages = await Promise.all([
      open('auditor', `/privacy?user=${other}`),
      open('auditor', `/privacy/accesses?stream=job-${named('watched-job')}`),
      open('auditor', `/privacy/refusals?sub=${other}`),
      open('auditor', '/privacy/retention'),
      open('admin', '/privacy/erasures'),
    ]);
    const [consents, accesses, refusals, retention, erasures] = pages.map(({ page }) => page);
    const rowOf = (page: ConsolePage['page'] | undefined, name: string) =>
      page!.getByRole('row', { name: new RegExp(name) });
    await consents!.getByText('There is no such consent').waitFor();
    await accesses!.getByText('Nobody has read this unredacted').waitFor();
    await refusals!.getByText('No command was refused').waitFor();

    const consent = { text: 'Keep my words.', scope: 'persistent' };
    const { consent_id } = await owner.post<{ consent_id: string }>('consents', consent);
    await rowOf(consents, other).getByText('given', { exact: true }).waitFor();
    await owner.post(`consents/${consent_id}/revocation`);
    await rowOf(consents, other).getByText('revoked').waitFor();

    const agent = await Caller.of(service, 'agent', { user_id: other });
    await agent.post('jobs', { job_seed: named('watched-job') });
    await agent.post(`jobs/${named('watched-job')}/wm`, { type: 'fact', value: EMAIL });
    await rowOf(retention, `user:${other}`).getByText('due').waitFor();
    await council.get(`jobs/${named('watched-job')}?unredacted=true`);
    await rowOf(accesses, reader).waitFor();
    await owner.refused('PERMISSION_DENIED', 'POST', `jobs/${named('watched-job')}/ticks`);
    await rowOf(refusals, other).waitFor();

    const subject = `user:${other}`;
    const proposal = { kind: 'erasure', subject, reason_code: 'legal_erasure' };
    const asked = await owner.post<Record<'request_id' | 'proposal_hash', string>>(
      'action-requests',
      { ...proposal, justification: 'I want to be forgotten.' },
    );
    const row = rowOf(erasures, subject);
    await row.getByText('waits for the council').waitFor();
    await council.post(`action-requests/${asked.request_id}/votes`, {
      ...{ vote: 'approve', reason: 'The subject asked for it.' },
      proposal_hash: asked.proposal_hash,
    });
    await row.getByRole('button', { name: /^Execute/ }).click();
    await erasures!.getByLabel('Type the subject').fill('user:wat');
    await (await Caller.of(service, 'admin')).post(`erasures/${asked.request_id}/execution`);
    await row.getByText('executed', { exact: true }).waitFor();
    expect(await erasures!.getByLabel('Type the subject').inputValue()).toBe('user:wat');
    await rowOf(retention, subject).getByText('erased').waitFor();
    await Promise.all(pages.map((page) => page.close()));
  });

  it('the council, which gets no events of consents, sees a new one at the next interval', async () => {
    const other = named('polled-user').toLowerCase();
    const watching = await open('council', '/sign-in');
    const { page } = watching;
    await page.clock.install();
    await watching.goto(`/privacy?user=${other}`);
    await page.getByText('There is no such consent').waitFor();
    const owner = await Caller.of(service, 'user', { sub: other, user_id: other });
    await owner.post('consents', { text: 'Keep my words.', scope: 'persistent' });
    await page.clock.fastForward(16_000);
    await page.getByRole('rowheader', { name: other }).waitFor();
    await watching.close();
  });

  it('a role sees no page and no control that is not for it', async () => {
    const council = await open('council', '/privacy/retention');
    await council.page.getByText('This page is not for your role').waitFor();
    const links = council.page.getByRole('navigation', { name: 'Privacy' }).getByRole('link');
    expect(await links.allInnerTexts()).toStrictEqual([
      ...['Consents', 'One person', 'Erasures', 'Unredacted reads'],
    ]);
    expect(await council.violations()).toStrictEqual([]);
    await council.close();
  });
});
