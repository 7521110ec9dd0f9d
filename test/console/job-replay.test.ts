import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MaceClient } from '#client/mace-client.js';
import { chainHash } from '#domain/determinism/hash-chain.js';
import { eventId } from '#domain/determinism/ids.js';
import { until } from '#test/faults/support/until.js';
import { ensure } from '#test/support/ensure.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { mace } from '#test/support/cli-run.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

const folder = temporaryFolder('console-replay');
let service: TestService;
let browser: ConsoleBrowser;
let agent: MaceClient;
let auditor: ConsolePage;

beforeAll(async () => {
  // The tests forge an event, which stops read models.
  [service, browser] = await Promise.all([
    TestService.start({ ownLog: true }),
    ConsoleBrowser.start(),
  ]);
  agent = new MaceClient({
    baseUrl: service.url,
    token: await service.token(['agent'], { sub: 'ana' }),
  });
  await Promise.all([importRecording(), lively()]);
  auditor = await browser.open(service, await service.token(['auditor'], { sub: 'ada' }));
  // Wide enough for the event and the state beside each other.
  await auditor.page.setViewportSize({ width: 1500, height: 900 });
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
  folder.remove();
});

/** Imports a recorded run of 1,200 messages, which gives 2,400 events. */
async function importRecording(): Promise<void> {
  const messages = Array.from({ length: 1_200 }, (_, n) =>
    n % 2 === 0
      ? { role: 'user', content: `My order is A-${100 + (n % 6)}, line ${n}` }
      : { role: 'assistant', content: `About order A-${100 + (n % 6)}: yes` },
  );
  const path = join(folder.path, 'recorded.jsonl');
  writeFileSync(path, JSON.stringify({ job_seed: 'recorded', messages }));
  const { MACE_JWT_SECRET } = TEST_KEYS;
  const { code } = await mace(['import', path, '--url', service.url, '--json'], {
    MACE_JWT_SECRET,
  });
  ensure(code === 0);
}

/** A job whose commands cause many kinds of outcomes, with personal data. */
async function lively(): Promise<void> {
  await agent.jobs.start({ job_seed: 'lively', goal: 'Colours', session_id: 'painting' });
  await agent
    .job('lively')
    .batch([
      { op: 'wm_insert', type: 'fact', value: 'cerulean' },
      { op: 'wm_insert', type: 'temp', value: { n: 1 }, ttl_ticks: 1 },
      { op: 'wm_reference', wm_id: 'wm:lively:1' },
      { op: 'wm_reference', wm_id: 'wm:lively:1' },
      { op: 'tick' },
      { op: 'wm_insert', type: 'fact', value: 'Write to ana.miller@example.com' },
      { op: 'episodic_write', summary: 'The wall was painted' },
      { op: 'goal', goal: 'Something else' },
    ]);
}

const open = async (path: string): Promise<void> => {
  await auditor.goto(path);
  await auditor.page.getByRole('heading', { name: /^State after event/ }).waitFor();
};
const stateOf = (number: number | string): Promise<void> =>
  auditor.page.getByRole('heading', { name: `State after event ${number} ` }).waitFor();
const current = () => auditor.page.locator('[aria-current="step"]');
const difference = () =>
  auditor.page.getByRole('region', { name: 'Difference to the step before' });
const state = () => auditor.page.getByRole('region', { name: /^State after event/ });

describe('one cursor', () => {
  test('drives the slider, the list, the state and the difference, and stands in the address', async () => {
    const { page } = auditor;
    await open('/jobs/lively?at=0');
    expect(await difference().innerText()).toMatch(/came\s+The job is running/);
    await page.keyboard.press('ArrowRight');
    await stateOf(1);
    expect(await current().innerText()).toMatch(/^fact: cerulean\s+→\s+input\s+wm_inserted\s+1$/);
    expect(await difference().innerText()).toMatch(
      /\+ came\s+wm:lively:1, a fact, came into working memory: cerulean/,
    );
    expect(await page.getByRole('slider', { name: 'Event' }).inputValue()).toBe('1');
    await page.waitForURL(/at=1/);
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await stateOf(0);
    await page.waitForURL(/at=0/);
    await page.reload();
    await stateOf(0);
  });

  test('a tick shows what was promoted, what expired and what aged, each outcome as a step of its own', async () => {
    const { page } = auditor;
    await open('/jobs/lively?at=5');
    expect(await difference().innerText()).toMatch(/~ changed\s+The tick went from 0 to 1/);
    await page.keyboard.press('ArrowRight');
    await stateOf(6);
    expect(await current().innerText()).toMatch(
      /promoted to consolidated memory\s+⤷\s+outcome\s+promotion_event/,
    );
    expect(await difference().innerText()).toMatch(/wm:lively:1 left working memory: cerulean/);
    expect(await difference().innerText()).toMatch(
      /cwmi:wm:lively:1, a fact, came into consolidated memory: cerulean/,
    );
    await page.keyboard.press('ArrowRight');
    await stateOf(7);
    expect(await difference().innerText()).toMatch(/− left\s+wm:lively:2 left working memory/);
    expect(await state().innerText()).toMatch(/Consolidated memory · 1/);
  });

  test('an event shows the time that its job was given, and no logical time', async () => {
    const { page } = auditor;
    await agent.jobs.start({ job_seed: 'dated', seeded_epoch: '2024-05-01T08:00:00.000Z' });
    const details = page.getByRole('region', { name: /^Event 0/ });
    await open('/jobs/dated?at=0');
    await details.getByText('Given time').waitFor();
    expect(await details.innerText()).toContain('2024-05-01T08:00:00.000Z');
    await open('/jobs/lively?at=0');
    await details.getByText('Trace id').waitFor();
    const { metadata } = (await agent.job('lively').events()).events[0]!;
    const terms = await details.locator('dl').innerText();
    expect(terms).not.toContain('Given time');
    expect(terms).not.toContain(metadata.seeded_ts);
  });

  test('jumps by number, by tick and by type, and dims what lies ahead', async () => {
    const { page } = auditor;
    await open('/jobs/recorded?at=0');
    await page.getByText('Go to …').click();
    const jump = async (name: string, to: string): Promise<void> => {
      await page.getByRole('form', { name }).getByRole('textbox').fill(to);
      await page.getByRole('button', { name }).click();
    };
    await jump('Go to event', '2000');
    await stateOf('2,000');
    expect(await current().getAttribute('data-event')).toBe('2000');
    expect(await page.locator('[data-ahead="true"]').first().getAttribute('data-event')).toBe(
      '2001',
    );
    await jump('Go to tick', '3');
    await page.getByText(/tick 3$/).waitFor();
    expect(await current().innerText()).toMatch(/ticked/);
    await page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('job_ended');
    await page.getByRole('button', { name: 'Next of this type' }).click();
    await current().filter({ hasText: 'The job ended' }).waitFor();
    const slider = page.getByRole('slider', { name: 'Event' });
    await slider.fill('1234');
    await stateOf('1,234');
    expect(await slider.getAttribute('aria-valuetext')).toMatch(
      /^Event 1234 of \d+, tick \d+, (\d\d:\d\d:\d\d, )?\w+$/,
    );
    await page.mouse.move(200, 600);
    await page.mouse.wheel(0, 12_000);
    await page.locator('li button[data-event^="16"]').first().waitFor();
  });

  test('plays and pauses, and reads the event out on a step but not during play', async () => {
    const { page } = auditor;
    await open('/jobs/lively?at=0');
    const said = page.locator('p.visually-hidden[role=status]');
    await page.keyboard.press('ArrowRight');

    await said.filter({ hasText: 'Event 1 of 11. fact: cerulean' }).waitFor();
    await page.getByText('Go to …').click();
    await page.getByLabel('Speed').selectOption('16');
    await page.locator('h1').click();
    await page.keyboard.press('Space');
    await stateOf(11);
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    expect(await said.innerText()).toMatch(/^Event 1 of 11/);
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    const paused = await page.getByRole('slider').inputValue();
    await page.keyboard.press('ArrowRight');
    await stateOf(Number(paused) + 1);
  });
});

describe('the events', () => {
  test('are searched by words and tokens on the server, with a count and steps between matches', async () => {
    const { page } = auditor;
    await open('/jobs/recorded?at=0');
    await page.locator('h1').click();
    await page.keyboard.press('/');
    await page.keyboard.type('a-104 order');
    await page.keyboard.press('Enter');
    const count = page.locator('output');
    await count.filter({ hasText: /^\d{3} events/ }).waitFor();
    const search = async (text: string): Promise<void> => {
      await page.getByRole('searchbox', { name: 'Search' }).fill(text);
      await page.keyboard.press('Enter');
    };
    await search('"order is a-104"');
    await count.filter({ hasText: '200 events' }).waitFor();
    await search('type:wm_ins tick:100-200 "order is a-104"');
    await page.waitForURL((url) => url.searchParams.get('q')?.startsWith('type:wm_ins') === true);
    await count.filter({ hasText: /^1[67] events/ }).waitFor();
    await page.getByRole('button', { name: 'Next match' }).click();
    await current().filter({ hasText: 'A-104' }).waitFor();
    expect(await current().innerText()).toMatch(/^user: My order is A-104.*tick \d+ \d\d:/s);
    const first = await current().innerText();
    const number = await current().getAttribute('data-event');
    await page.locator('h1').click();
    await page.keyboard.press('n');
    await page.waitForFunction(
      (text) => document.querySelector('[aria-current="step"]')?.textContent !== text,
      first,
    );
    await page.keyboard.press('p');
    await page.waitForURL(new RegExp(`at=${number}(&|$)`));
    const address = page.url();
    await page.reload();
    await count.filter({ hasText: /^1[67] events/ }).waitFor();
    expect(page.url()).toBe(address);
    await search('colour:red');
    await page.getByRole('alert').filter({ hasText: 'There is no “colour:”' }).waitFor();
    await search('"no event has this"');
    await page.getByText('No event meets this search').waitFor();
    expect(await auditor.violations()).toStrictEqual([]);
    await page.getByRole('button', { name: 'Show all events' }).click();
    await page.waitForURL((url) => !url.searchParams.has('q'));
  });

  test('an address with the fields of earlier versions shows the same events', async () => {
    await open(
      '/jobs/recorded?at=0&types=wm_inserted&from_tick=100&to_tick=200&text=order+is+a-104',
    );
    await auditor.page
      .locator('output')
      .filter({ hasText: /^1[67] events/ })
      .waitFor();
  });

  test('like neighbours are folded to one row with their number, and each is still reached', async () => {
    const { page } = auditor;
    await agent.jobs.start({ job_seed: 'runs' });
    await agent
      .job('runs')
      .batch([
        { op: 'wm_insert', type: 'fact', value: { user: 'No flight before 11' } },
        ...Array.from({ length: 6 }, () => ({ op: 'wm_reference', wm_id: 'wm:runs:1' }) as const),
        { op: 'tick' },
      ]);
    await open('/jobs/runs?at=2');
    const rows = page.getByRole('region', { name: 'Events' }).getByRole('listitem');
    const run = page.getByRole('button', { name: /6 ×/ });
    expect(await current().innerText()).toMatch(/1 of 6 × wm:runs:1 was used/);
    await page.keyboard.press('ArrowRight');
    await current().filter({ hasText: '2 of 6 ×' }).waitFor();
    await stateOf(3);
    expect(await rows.filter({ hasText: 'was used' }).count()).toBe(1);
    await page.keyboard.press('Enter');
    await current()
      .filter({ hasText: /^wm:runs:1 was used/ })
      .waitFor();
    expect(await rows.filter({ hasText: 'was used' }).count()).toBe(6);
    expect(await current().getAttribute('data-event')).toBe('3');
    expect(await run.getAttribute('aria-expanded')).toBe('true');
    expect(await auditor.violations()).toStrictEqual([]);
    await run.click();
    await current().filter({ hasText: '2 of 6 ×' }).waitFor();
    await page.getByRole('searchbox').fill('actor:AN tick:0 used');
    await page.getByRole('searchbox').press('Enter');
    await page.getByText('No event meets this search').waitFor();
    await page.getByRole('searchbox').fill('actor:AN tick:0 type:wm_ref');
    await page.getByRole('searchbox').press('Enter');
    await page.locator('output').filter({ hasText: '6 events' }).waitFor();
    const { height } = (await current().boundingBox()) ?? { height: 0 };
    expect(height).toBeGreaterThanOrEqual(24);
    expect(height).toBeLessThanOrEqual(28);
  });

  test('the event and the state are tabs in a narrower window, and nothing scrolls sideways', async () => {
    const { page } = auditor;
    await page.setViewportSize({ width: 1280, height: 800 });
    await open('/jobs/lively?at=1');
    const [stateTab, eventTab] = [
      page.getByRole('tab', { name: 'State at this moment' }),
      page.getByRole('tab', { name: 'Event in detail' }),
    ];
    await stateTab.press('ArrowRight');
    await page.getByRole('heading', { name: /^Event 1/ }).waitFor();
    expect(await eventTab.getAttribute('aria-selected')).toBe('true');
    expect(await state().count()).toBe(0);
    expect(await auditor.violations()).toStrictEqual([]);
    await page.setViewportSize({ width: 400, height: 800 });
    expect(await auditor.overflow()).toBe(0);
    await page.getByText('Go to …').click();
    expect(await auditor.overflow()).toBe(0);
    await page.setViewportSize({ width: 1500, height: 900 });
    await stateOf(1);
    await page.getByRole('heading', { name: /^Event 1/ }).waitFor();
    expect(await page.getByRole('tab').count()).toBe(0);
  });

  test('the slider says the tick and the time of the event under the pointer', async () => {
    const { page } = auditor;
    await open('/jobs/lively?at=0');
    const slider = page.getByRole('slider', { name: 'Event' });
    const { x, y, width } = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0 };
    await page.mouse.move(x + width - 2, y + 5);
    await page.getByText(/^event 11 · tick 1 · \d\d:\d\d:\d\d · \w+$/).waitFor();
    await page.waitForFunction(() =>
      /, tick 0, \d\d:\d\d:\d\d, job_started$/.test(
        document.querySelector('input[type=range]')?.getAttribute('aria-valuetext') ?? '',
      ),
    );
  });

  test('are shown as JSON and Plain, with position, hashes, time and trace id', async () => {
    const { page } = auditor;
    await open('/jobs/lively?at=1');
    const { events } = await agent.job('lively').events({ limit: 2 });
    const [before, event] = events;
    const detail = page.getByRole('region', { name: /^Event 1/ });
    await detail
      .getByText(event?.metadata['trace_id'] as string)
      .first()
      .waitFor();
    const shown = await detail.innerText();
    for (const part of [event?.position, event?.metadata['hash'], before?.metadata['hash']])
      expect(shown).toContain(part);
    await page.getByRole('button', { name: 'Plain', exact: true }).click();
    await page
      .getByRole('region', { name: 'Event as plain text' })
      .filter({ hasText: 'data.value: cerulean' })
      .waitFor();
    await page.getByRole('button', { name: 'since the start' }).click();
    await detail.getByText(/^\+00:00:0/).waitFor();
    await page.getByRole('button', { name: 'local' }).click();
    await page.waitForURL(/clock=local/);
  });

  test('a sealed value is shown as sealed or redacted, and the owner of the running job sees its own', async () => {
    await open('/jobs/lively?at=8');
    expect(await state().innerText()).toMatch(/\[redacted: \w+\]/);
    expect(await auditor.page.locator('body').innerText()).not.toContain('ana.miller');
    const own = await browser.open(
      service,
      await service.token(['agent'], { sub: 'ana' }),
      '/jobs/lively?at=8',
    );
    await own.page.getByText('Write to ana.miller@example.com').first().waitFor();
    await own.close();
    const other = await browser.open(service, await service.token(['agent']), '/jobs/lively');
    await other.page.getByRole('alert').filter({ hasText: 'Trace id' }).first().waitFor();
    expect(await other.violations()).toStrictEqual([]);
    await other.close();
  });

  test('new events of a running job are followed, until the reader moves the cursor', async () => {
    const { page } = auditor;
    await agent.jobs.start({ job_seed: 'running', goal: 'Wait' });
    await open('/jobs/running');
    const follow = page.getByRole('switch', { name: 'Follow new events' });
    expect(await follow.isChecked()).toBe(true);
    await agent.job('running').insert({ type: 'hint', value: 'first' });
    await stateOf(1);
    await page.keyboard.press('Home');
    await stateOf(0);
    expect(await follow.isChecked()).toBe(false);
    await agent.job('running').tick();
    await page.getByText('Event 0 of 2').waitFor();
    await follow.check();
    await stateOf(2);
    await agent.job('running').end();
    await follow.waitFor({ state: 'detached' });
    await page.getByText('The job was summed up').first().waitFor();
  });

  test('a running job is followed although the service did not answer at first', async () => {
    const { page } = auditor;
    await agent.jobs.start({ job_seed: 'late', goal: 'Wait' });
    let refused = 0;
    await page.route('**/jobs/late/events*', async (route) => {
      const isStream = route.request().headers()['accept'] === 'text/event-stream';
      if (!isStream || refused > 2) return route.continue();
      refused += 1;
      return route.abort('connectionrefused');
    });
    await open('/jobs/late');
    await until('the stream could not be opened', () => refused > 2);
    await agent.job('late').insert({ type: 'hint', value: 'first' });
    await stateOf(1);
    await page.unroute('**/jobs/late/events*');
  });
});

describe('the replay of the decisions', () => {
  test('is not checked by default, and then says that the job is identical, who checked it and what', async () => {
    const { page } = auditor;
    await open('/jobs/recorded');
    await page.getByText('○ Not checked').waitFor();
    expect(await page.getByText('Identical').count()).toBe(0);
    expect(await auditor.violations()).toStrictEqual([]);
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByRole('button', { name: '✓ Identical' }).click();
    const report = await agent.job('lively').replay();
    await page.getByText('What was checked').click();
    await page.getByText(/Checked by ada, by the service/).waitFor();
    expect(await page.getByRole('term').filter({ hasText: 'Content hash' }).count()).toBe(1);
    expect(report.identical).toBe(true);
    expect(await auditor.violations()).toStrictEqual([]);
  });

  test('stands in one line with the status, the goal, the owner and the duration', async () => {
    const { page } = auditor;
    await agent.jobs.start({ job_seed: 'ended', goal: `Book ${'a very long trip '.repeat(20)}` });
    await agent.job('ended').end();
    await open('/jobs/ended');
    const header = page.locator('header', { has: page.locator('h1') });
    await header.getByText(/^took /).waitFor();
    const words = (await header.innerText()).replaceAll('\n', ' ');
    expect(words).toMatch(/^Job ended\s+ended\s+Book a very long.*ana.*took .*○ Not checked/);
    for (const width of [1280, 1500]) {
      await page.setViewportSize({ width, height: 900 });
      expect((await header.boundingBox())?.height).toBeLessThan(40);
      const transport = page.getByRole('region', { name: 'Cursor' });
      expect((await transport.boundingBox())?.height).toBeLessThan(50);
    }
  });

  test('names the event at which the job diverged, with the expected and the actual event', async () => {
    const { page } = auditor;
    await agent.jobs.start({ job_seed: 'diverged' });
    await agent.job('diverged').tick();
    const number = await forgedTick('diverged', 7);
    await open('/jobs/diverged?at=0');
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: `✗ Diverged at event ${number}` })
      .waitFor();
    expect(await page.getByRole('region', { name: 'Expected' }).innerText()).toContain('"tick": 2');
    expect(await page.getByRole('region', { name: 'Actual' }).innerText()).toContain('"tick": 7');
    expect(await auditor.violations()).toStrictEqual([]);
    await page.getByRole('button', { name: `Go to event ${number}` }).click();
    await page.waitForURL(new RegExp(`at=${number}`));
  });

  test('names a broken event, and shows no state from it on', async () => {
    const { page } = auditor;
    await agent.jobs.start({ job_seed: 'tampered' });
    const number = await forgedTick('tampered', 1, 'f'.repeat(64));
    await auditor.goto(`/jobs/tampered?at=${number}`);
    await page.getByText('⚠ not proven').waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: `✗ Broken at event ${number}` })
      .waitFor();
    await page.getByRole('alert').filter({ hasText: 'Trace id' }).waitFor();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: `✗ Broken at event ${number}` })
      .waitFor();
    expect(await auditor.violations()).toStrictEqual([]);
    await page.locator('h1').click();
    await page.keyboard.press('ArrowLeft');
    await stateOf(number - 1);
  });

  test('a replay that cannot be carried out leaves the job not checked', async () => {
    const { page } = auditor;
    await open('/jobs/lively?at=0');
    await page.route('**/replays', (route) => route.abort());
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText('The service cannot be reached').waitFor();
    await page.getByText('○ Not checked').waitFor();
    await page.unroute('**/replays');
  });

  test('an unknown job is an error in words, with its trace id', async () => {
    await auditor.goto('/jobs/no-such-job');
    await auditor.page.getByRole('alert').filter({ hasText: 'Trace id' }).waitFor();
    expect(await auditor.violations()).toStrictEqual([]);
  });

  test('the keys are listed on a question mark', async () => {
    const { page } = auditor;
    await open('/jobs/lively?at=0');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('One event back').waitFor();
    expect(await auditor.violations()).toStrictEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

/** Appends a tick that the rules do not give. Without `badHash`, its hash fits the chain, so only a replay notices it. */
async function forgedTick(seed: string, tick: number, badHash?: string): Promise<number> {
  const log = new LogReader(service.eventStore.url);
  const stream = `job-${seed}`;
  const last = (await log.events(stream)).at(-1);
  ensure(last);
  const number = last.number + 1;
  const { hash: prev, ...before } = last.metadata;
  const event_id = eventId(stream, number, 'ticked');
  const made = { command_id: 'forged', event_id, kind: 'input' } as const;
  const seeded_ts = new Date(Date.parse(before.seeded_ts) + 1).toISOString();
  const metadata = { ...before, ...made, command_index: 0, seeded_ts };
  const event = { stream, number, type: 'ticked', data: { tick } };
  const fitting = chainHash(prev, { ...event, metadata });
  await log.eventStore.append(stream, last.number, [
    { ...event, id: randomUUID(), metadata: { ...metadata, hash: badHash ?? fitting } },
  ]);
  await log.close();
  return number;
}

declare const document: {
  querySelector(selector: string): {
    readonly textContent: string | null;
    getAttribute(name: string): string | null;
  } | null;
};
