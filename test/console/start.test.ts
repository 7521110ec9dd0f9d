import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

describe('The start page', () => {
  let service: TestService;
  let browser: ConsoleBrowser;
  let agent: Caller;
  let request: string;
  const sub = named('start-agent');
  const key = `world/start/${named('sky').toLowerCase().replaceAll('-', '_')}/colour`;

  beforeAll(async () => {
    // The counts of the page are those of the whole log.
    service = await TestService.start({ ownLog: true });
    browser = await ConsoleBrowser.start();
    agent = await Caller.of(service, 'agent', { sub });
  });
  afterAll(async () => {
    await browser?.stop();
    await service?.stop();
  });

  const open = async (role: 'council' | 'auditor' | 'admin' | 'agent' | 'user') =>
    browser.open(service, await service.token(role, role === 'agent' ? { sub } : {}));
  const part = ({ page }: ConsolePage, title: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });

  it('says to each role of an empty memory that nothing waits, and what to do first', async () => {
    const texts = {
      council: 'No request waits for your vote',
      auditor: 'The log was not verified yet',
      admin: 'No erasure waits for you',
      agent: 'You have no job yet',
      user: 'You have given no consent',
    } as const;
    for (const [role, text] of Object.entries(texts)) {
      const start = await open(role as keyof typeof texts);
      await start.page.getByText(text).waitFor();
      expect([role, await start.violations()]).toStrictEqual([role, []]);
      expect(start.errors).toStrictEqual([]);
      await start.close();
    }
  });

  it('shows the council what waits for its vote, by deadline', async () => {
    await agent.post('jobs', { job_seed: 'start-job' });
    const { episodic_id } = await agent.post<{ episodic_id: string }>('jobs/start-job/episodes', {
      summary: 'The sky was blue',
    });
    ({ request_id: request } = await agent.post<{ request_id: string }>('action-requests', {
      episodic_id,
      target_sem_key: key,
      value: 'blue',
      justification: 'It was seen.',
    }));
    const council = await open('council');
    await council.page.getByText('1 request waits for your vote').waitFor();
    const link = council.page.getByRole('link', { name: key });
    expect(await link.getAttribute('href')).toMatch(new RegExp(`^/console/requests/${request}`));
    expect(await council.violations()).toStrictEqual([]);
    await council.close();
  });

  it('lets a proposer answer the question of a reviewer', async () => {
    const reviewer = await Caller.of(service, 'council');
    await reviewer.post(`action-requests/${request}/questions`, {
      question: 'Who <script>alert(1)</script> saw it?',
    });
    const start = await open('agent');
    await start.page.getByText('1 proposal has a question for you').waitFor();
    await start.page.getByText('Who <script>alert(1)</script> saw it?').waitFor();
    await start.page.getByRole('link', { name: 'start-job' }).waitFor();
    expect(await start.violations()).toStrictEqual([]);
    await start.page.getByLabel('Your answer').fill('The camera on the roof.');
    await start.page.getByRole('button', { name: 'Send the answer' }).click();
    await part(start, 'Your proposals').getByText('1 of 1 wait for the council').waitFor();
    const { discussion } = await agent.get<{ discussion: { text: string }[] }>(
      `action-requests/${request}`,
    );
    expect(discussion.map(({ text }) => text)).toContain('The camera on the roof.');
    await start.close();
  });

  it('brings a reviewer back when the proposer has answered, without a reload', async () => {
    const reviewer = await Caller.of(service, 'council');
    const ask = () =>
      reviewer.post(`action-requests/${request}/questions`, { question: 'When was it seen?' });
    await ask();
    const council = await open('council');
    await part(council, 'Answers to questions')
      .getByText('No answer waits for a reviewer')
      .waitFor();
    // The page would read again after 15 s without the stream of events.
    council.page.setDefaultTimeout(10_000);
    await agent.post(`action-requests/${request}/answers`, { answer: 'In May.' });
    await part(council, 'Answers to questions').getByText('1 proposer answered you').waitFor();
    expect(await council.violations()).toStrictEqual([]);
    const other = await browser.open(
      service,
      await service.token('council', { sub: named('other') }),
    );
    await part(other, 'Answers to questions')
      .getByText('1 proposer answered another reviewer')
      .waitFor();
    await other.close();
    await council.page.getByRole('link', { name: 'All of these requests' }).click();
    await council.page.getByText('Answered you').waitFor();
    expect(council.page.url()).toContain('question=answered_caller');
    await council.page.getByLabel('Questions').selectOption('Waiting for an answer (0)');
    await council.page.getByText('No request matches these filters').waitFor();
    await council.close();
  });

  it('a part that fails says so by itself, with the reason first and a trace id, and the others stay', async () => {
    const admin = await browser.open(service, await service.token('admin'), '/privacy');
    await admin.page.route('**/v1/projections', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/json',
        body: JSON.stringify({
          ...{ error_code: 'READ_UNAVAILABLE', status: 503, severity: 'error' },
          user_message: 'I can’t look that up right now. Please try again in a moment.',
          developer_message: 'Postgres does not answer.',
          meta: { query_id: 'q', timestamp: '2026-01-01T00:00:00Z', trace_id: 'f00d' },
        }),
      }),
    );
    await admin.goto('/');
    await part(admin, 'Read models').getByText('f00d').waitFor();
    // The reason stands before the sentence that each such failure has.
    expect(await part(admin, 'Read models').getByRole('alert').innerText()).toMatch(
      /^Postgres does not answer\..*I can’t look that up right now/s,
    );
    await part(admin, 'The service').getByText('Ready', { exact: true }).waitFor();
    await part(admin, 'Retention').getByText('No retention period is over').waitFor();
    expect(await admin.violations()).toStrictEqual([]);
    await admin.page.unroute('**/v1/projections');
    await part(admin, 'Read models').getByRole('button', { name: 'Try again' }).click();
    await part(admin, 'Read models')
      .getByText(/^All \d+ follow the log$/)
      .waitFor();
    await admin.close();
  });

  it('shows an auditor a log that was verified, and that its decisions were not checked', async () => {
    const auditor = await Caller.of(service, 'auditor');
    await auditor.post('integrity/verification');
    const start = await open('auditor');
    await part(start, 'Integrity of the log')
      .getByText(/^Intact, verified/)
      .waitFor();
    await start.page.getByText('The decisions were not checked.').waitFor();
    await part(start, 'Integrity of the log')
      .getByText(/^By \S+ by the API\.$/)
      .waitFor();
    await auditor.post('integrity/verification', { decisions: true });
    await start.goto('/');
    await start.page.getByText('The replay of every stream is identical.').waitFor();
    await part(start, 'Checkpoint of the log').getByText('No checkpoint was made yet').waitFor();
    await auditor.post('integrity/checkpoints');
    await start.goto('/');
    await part(start, 'Checkpoint of the log')
      .getByText(/^Made (just )?now$/)
      .waitFor();
    await part(start, 'Personal data')
      .getByText(/this week$/)
      .waitFor();
    await start.close();
  });
});
