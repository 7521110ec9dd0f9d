import { MaceClient } from '#client/index.js';
import { until } from '#test/faults/support/until.js';
import type { ServiceClient } from '#test/support/service-client.js';
import type { ConsolePage } from './browser.js';

/** The time in ms in which a vote can be undone. */
const HOLD_MS = 5_000;

/** What the console shows of votes that are not answered yet. */
export const tray = ({ page }: ConsolePage) =>
  page.getByRole('region', { name: 'Votes on their way' });

/** Sends the last vote before its time, and waits for the answer. */
export async function sendNow(opened: ConsolePage): Promise<void> {
  await tray(opened).getByRole('button', { name: 'Send now' }).last().click();
  await tray(opened).waitFor({ state: 'detached' });
}

/**
 * Sets the clock of a page forward, by more than a vote is held. What the page sends by then has left it before this
 * returns.
 */
export async function passHold({ page }: ConsolePage): Promise<void> {
  await page.clock.runFor(HOLD_MS + 1_500);
  await page.evaluate(() => fetch('/health/live').then(({ status }) => status));
}

/** The votes in the log of a service, by request, read through the SDK. */
export class LoggedVotes {
  private readonly mace: MaceClient;

  constructor(service: ServiceClient) {
    this.mace = new MaceClient({
      baseUrl: service.url,
      token: () => service.token('auditor'),
    });
  }

  /** Returns how many votes the log has of each of these requests. */
  async of(...requests: readonly { readonly request_id: string }[]): Promise<number[]> {
    const streams: string[] = [];
    for await (const event of this.mace.events({ categories: ['request'], until: 'end' }))
      if (event.type === 'vote_cast') streams.push(event.stream);
    return requests.map(
      ({ request_id }) => streams.filter((stream) => stream === `request-${request_id}`).length,
    );
  }

  /** Waits until the log has these numbers of votes. */
  async reach(
    counts: readonly number[],
    ...requests: readonly { readonly request_id: string }[]
  ): Promise<void> {
    await until(
      `the log has ${counts.join(', ')} votes`,
      async () => (await this.of(...requests)).join() === counts.join(),
    );
  }
}
