import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { MaceClient } from '#client/mace-client.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { CHAIN_START, chainHash } from '#domain/determinism/hash-chain.js';
import type { RecordedEvent } from '#domain/recorded-event.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser, type ConsolePage } from './support/browser.js';

const SEED = named('kept');

let service: TestService;
let browser: ConsoleBrowser;
let auditor: ConsolePage;
/** The job's bundle before its end, and after it. */
let earlier: readonly string[];
let whole: readonly string[];

beforeAll(async () => {
  [service, browser] = await Promise.all([TestService.shared(), ConsoleBrowser.start()]);
  const agent = new MaceClient({ baseUrl: service.url, token: await service.token(['agent']) });
  const job = agent.job(SEED);
  await agent.jobs.start({ job_seed: SEED, goal: 'Colours' });
  await job.batch([{ op: 'wm_insert', type: 'fact', value: 'cerulean' }, { op: 'tick' }]);
  earlier = await linesOf(job.bundle());
  await job.end();
  whole = await linesOf(job.bundle());
  auditor = await browser.open(service, await service.token(['auditor'], { sub: 'ada' }));
});

afterAll(async () => {
  await browser?.stop();
  await service?.stop();
});

async function linesOf(bundle: AsyncIterable<string>): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of bundle) lines.push(line);
  return lines;
}

const fileOf = (text: string, name: string) => ({
  ...{ name, mimeType: 'application/octet-stream' },
  buffer: Buffer.from(text),
});
const bundleOf = (lines: readonly string[], name = 'kept.ndjson') =>
  fileOf(`${lines.join('\n')}\n`, name);

/** Opens the page with the job of the service on the left, and a file on the right. */
async function besideService(file: ReturnType<typeof fileOf>): Promise<Page> {
  await auditor.goto(`/jobs/compare?left=${SEED}`);
  await auditor.page.getByLabel('Right file').setInputFiles(file);
  return auditor.page;
}

/** Changes an event, and makes every hash from there on again, as a forger does who knows how. */
function forged(lines: readonly string[], change: (event: RecordedEvent) => object): string[] {
  let head = CHAIN_START;
  const events = lines.slice(1).map((line) => {
    const event = JSON.parse(line) as RecordedEvent;
    const changed = { ...event, ...change(event) };
    head = chainHash(head, changed, canonicalJson(changed.data));
    return canonicalJson({ ...changed, metadata: { ...changed.metadata, hash: head } });
  });
  const header = { stream: `job-${SEED}`, event_count: events.length, head_hash: head };
  return [canonicalJson(header), ...events];
}

const rowsOf = (page: Page) =>
  page.getByRole('region', { name: 'Events of both jobs' }).getByRole('listitem');

describe('a bundle file beside the job of the service', () => {
  test('is the same in every part if nothing has changed, and the address keeps the seed alone', async () => {
    const page = await besideService(bundleOf(whole));
    await page.getByText('The two histories are the same').waitFor();
    await page.getByText('have the same content, times and hashes').waitFor();
    await page.getByText('✓ Signed by a key that you trust').waitFor();
    expect(new URL(page.url()).search).toBe(`?left=${SEED}`);
    const table = page.getByRole('region', { name: 'Both jobs' });
    await table.getByRole('row', { name: /^Status ended ended same/ }).waitFor();
    expect(await table.getByText('differs').count()).toBe(0);
    expect(await auditor.violations()).toStrictEqual([]);
    await page.setViewportSize({ width: 400, height: 800 });
    expect(await auditor.overflow()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Close the file' }).click();
    await page.getByLabel('Right job').waitFor();
    expect(await page.getByText('The two histories are the same').count()).toBe(0);
  });

  test('that was exported earlier is shorter, and what both have is the same', async () => {
    const page = await besideService(bundleOf(earlier));
    const [had, more] = [earlier.length - 1, whole.length - earlier.length];
    await page.getByText(`The ${had} events that both have are the same`).waitFor();
    await page
      .getByText(`The file ends at event ${had - 1}; the service has ${more} more.`)
      .waitFor();
    expect(await page.getByText('First difference').count()).toBe(0);
    expect(await rowsOf(page).filter({ hasText: '← only left' }).count()).toBe(more);
  });

  test('that was changed is broken in the words of the bundle page, and what was changed is named', async () => {
    const page = await besideService(
      bundleOf(whole.map((line) => line.replace('"cerulean"', '"crimson"'))),
    );
    await page.getByRole('alert').filter({ hasText: 'A line was changed.' }).waitFor();
    await page.getByText('✗ The bundle is broken at line 3').waitFor();
    await page.getByText('First difference at tick 0').waitFor();
    await page.getByText('these parts of it differ: data.value').waitFor();
    await rowsOf(page)
      .filter({ hasText: /≠ differs: data.value.*cerulean.*crimson/s })
      .waitFor();
    await page.getByRole('row', { name: /^Status ended not proven differs/ }).waitFor();
    expect(await auditor.violations()).toStrictEqual([]);
    await page.getByRole('button', { name: 'Replay both' }).click();
    const reports = page.getByRole('region', { name: 'Reports of both replays' });
    await reports
      .getByRole('row', { name: /^Verdict ✓ Identical ✗ The bundle is broken at line 3 differs/ })
      .waitFor();
    await reports.getByRole('row', { name: /^First divergence none event 1 differs/ }).waitFor();
  });

  test('whose signature is wrong shows no green, although its events are the same', async () => {
    const unsigned = whole[0]!.replace(/"signature":"[0-9a-f]{8}/, '"signature":"00000000');
    const page = await besideService(bundleOf(whole.with(0, unsigned)));
    await page.getByText('The two histories are the same').waitFor();
    expect(await page.locator('[class*="good"]').count()).toBe(0);
  });

  test('that was cut or reordered shows no green, and says up to where it can be read', async () => {
    const [header = '', first = '', second = '', ...rest] = whole;
    for (const [lines, last] of [
      [whole.slice(0, -1), whole.length - 3],
      [[header, first, ...rest, second], 0],
    ] as const) {
      const page = await besideService(bundleOf(lines));
      await page
        .getByText(new RegExp(`The file can be read only up to event ${last}; the service has`))
        .waitFor();
      await page.getByRole('alert').filter({ hasText: '✗ The bundle is broken' }).waitFor();
      expect(await page.locator('[class*="good"]').count()).toBe(0);
    }
  });

  test('whose times were changed and whose hashes were made again says the same words with other bytes', async () => {
    const page = await besideService(
      bundleOf(
        forged(whole, ({ number, metadata }) =>
          number === 1
            ? { metadata: { ...metadata, recorded_at: '2020-01-01T00:00:00.000Z' } }
            : {},
        ),
      ),
    );
    await page.getByText('these parts of it differ: recorded_at, hash').waitFor();
    await page.getByText('△ Not signed').waitFor();
    await rowsOf(page).filter({ hasText: '≈ other bytes: recorded_at, hash' }).waitFor();
    expect(
      await rowsOf(page)
        .filter({ hasText: /≈ other bytes: hash/ })
        .count(),
    ).toBe(whole.length - 3);
    await page.getByRole('button', { name: 'Replay both' }).click();
    const reports = page.getByRole('region', { name: 'Reports of both replays' });
    await reports
      .getByRole('row', { name: /^Verdict ✓ Identical △ Identical, but its origin is not proven/ })
      .waitFor();
    await reports.getByRole('row', { name: /^Hash of the last event .* differs$/ }).waitFor();
    await reports.getByRole('row', { name: /^Hash of the final state .* same$/ }).waitFor();
  });

  test('of another kind is named, and nothing is compared', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['no bundle at all', /broken at line 1.*The file is not a bundle/s],
      ['{"kty":"OKP","crv":"Ed25519","x":"a"}', /The file has keys/],
      [
        '{"event_count":0,"head_hash":"","stream":"note-a"}',
        /Only bundles of jobs|not a bundle|broken/,
      ],
      ['{"kind":"replay_report","report":{}}', /The report of a replay lacks something/],
      ['{"kind":"replay_report",', /The report of a replay is cut off/],
    ];
    for (const [text, words] of cases) {
      const page = await besideService(fileOf(text, 'other.json'));
      await page
        .getByText(words)
        .or(page.getByRole('alert').filter({ hasText: words }))
        .first()
        .waitFor();
      expect(await page.getByText('Both histories').count()).toBe(0);
    }
  });
});

describe('two bundle files', () => {
  test('are dropped on their sides and compared; the shorter one is named by its side', async () => {
    await auditor.goto('/jobs/compare');
    const { page } = auditor;
    for (const [side, lines] of [
      ['Left', earlier],
      ['Right', whole],
    ] as const) {
      const dataTransfer = await page.evaluateHandle(
        ([name, text]) => {
          const data = new DataTransfer();
          data.items.add(new File([text], name));
          return data;
        },
        [`${side}.ndjson`, `${lines.join('\n')}\n`] as const,
      );
      await page.getByRole('group', { name: side }).dispatchEvent('drop', { dataTransfer });
    }
    const last = earlier.length - 2;
    await page
      .getByText(new RegExp(`The left file ends at event ${last}; the right file has \\d+ more.`))
      .waitFor();
    await page.getByRole('columnheader', { name: 'Right.ndjson' }).first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('button', { name: 'Replay both' }).click();
    await page.getByRole('row', { name: /^Verdict ✓ Identical ✓ Identical same/ }).waitFor();
    expect(await auditor.violations()).toStrictEqual([]);
  });
});

describe('the report of a replay', () => {
  test('is saved on the job’s page, and put beside a replay of today', async () => {
    const { page } = auditor;
    await auditor.goto(`/jobs/${SEED}`);
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByRole('button', { name: /✓ Identical/ }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the report' }).click();
    expect((await download).suggestedFilename()).toBe(`${SEED}.replay.json`);
    const text = readFileSync(await (await download).path(), 'utf8');
    const saved = JSON.parse(text) as Record<string, unknown>;
    expect(saved).toMatchObject({
      ...{ kind: 'replay_report', job_seed: SEED, checked_by: 'ada, by the service' },
      service_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      report: { identical: true, events_checked: whole.length - 1 },
    });
    await auditor.goto('/jobs/compare');
    const lastMonth = text.replace(
      /"checked_at": "[^"]+"/,
      '"checked_at": "2026-01-02T03:04:05.678Z"',
    );
    await page.getByLabel('Left file').setInputFiles(fileOf(lastMonth, 'saved.json'));
    await page.waitForURL(`**/compare?left=${SEED}`);
    await page.getByLabel('Right job').fill(SEED);
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('button', { name: 'Replay the other' }).click();
    const reports = page.getByRole('region', { name: 'Reports of both replays' });
    await reports.getByRole('row', { name: /^Verdict ✓ Identical ✓ Identical same/ }).waitFor();
    for (const name of ['Events', 'Hash of the last event', 'Hash of the final state'])
      await reports.getByRole('row', { name: new RegExp(`^${name} .* same$`) }).waitFor();
    await reports.getByText('2026-01-02 03:04:05 UTC').waitFor();
    expect(await reports.getByText('differs').count()).toBe(0);
    await page.getByText('Nobody has signed a saved report.').waitFor();
    expect(await auditor.violations()).toStrictEqual([]);
    const other = text.replace(`"job_seed": "${SEED}"`, '"job_seed": "another"');
    await page.getByLabel('Right file').setInputFiles(fileOf(other, 'other.json'));
    await page.getByText(`The report is of job another, and this side has ${SEED}.`).waitFor();
    expect(auditor.errors).toStrictEqual([]);
  });
});

// The functions above that run in the page know these.
declare const DataTransfer: new () => { readonly items: { add(file: unknown): void } };
declare const File: new (parts: readonly string[], name: string) => unknown;
