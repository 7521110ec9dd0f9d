import { ConsoleBrowser } from '#test/console/support/browser.js';
import { decideAll, noteTimes } from '#test/console/support/decisions.js';
import { below, percentile, type Report, type Row } from '../harness/report.js';
import { type RunningService, startServiceOn } from '../harness/service.js';
import type { Setting } from '../harness/setting.js';

const REQUESTS = 100;
const P95_TARGET_MS = 200;

/**
 * Case (review): a reviewer decides 100 requests by keyboard in the console: approvals, rejections, abstentions and
 * other words. Measured in the browser, from the deciding key until the next request is painted.
 */
export async function review(setting: Setting): Promise<Report> {
  const count = setting.sized(REQUESTS);
  const service = await startServiceOn(setting);
  const browser = await ConsoleBrowser.start();
  try {
    await propose(service, count);
    const token = await service.tokenOf('reviewer', ['council']);
    const opened = await browser.open(service, token, '/requests');
    await opened.page.getByRole('link', { name: keyOf(1) }).waitFor();
    await opened.page.keyboard.press('j');
    await opened.page.keyboard.press('Enter');
    await opened.page.getByRole('heading', { level: 1, name: keyOf(1) }).waitFor();
    await noteTimes(opened);
    const times = await decideAll(opened, count - 1);
    const [p50, p95] = [
      rowOf('p50', percentile(times, 0.5)),
      rowOf('p95', percentile(times, 0.95)),
    ];
    return { rows: [p50, p95], targets: [below(p95, P95_TARGET_MS)] };
  } finally {
    await browser.stop();
    await service.stop();
  }
}

const rowOf = (part: string, value: number): Row => ({
  name: `from the deciding key to the next request, ${part}`,
  ...{ value, unit: 'ms' },
});

const keyOf = (number: number): string => `world/bench/r${String(number).padStart(3, '0')}/value`;

async function propose(service: RunningService, count: number): Promise<void> {
  await service.send('POST', '/v1/jobs', { job_seed: 'review' });
  const { episodic_id } = await service.send('POST', '/v1/jobs/review/episodes', {
    summary: 'What a reviewer looks at',
  });
  for (let number = 1; number <= count; number += 1)
    await service.send('POST', '/v1/action-requests', {
      episodic_id,
      target_sem_key: keyOf(number),
      value: number % 2 === 0 ? { number, text: 'A value' } : `Value ${number}`,
      justification: `Seen ${number} times.`,
      evidence: [{ episodic_id }],
    });
}
