import type { OwnEventStore } from '#test/support/servers.js';
import type { TestService } from '#test/support/service.js';
import { until } from './until.js';

/**
 * Restarts an event store with a quota in bytes: 0 makes its log full, and undefined gives it room again. Resolves once
 * the service finds it.
 */
export async function restartWithQuota(
  eventStore: OwnEventStore,
  service: TestService,
  quotaBytes: number | undefined,
): Promise<void> {
  await eventStore.kill();
  eventStore.limit(quotaBytes);
  await eventStore.restart();
  await until('the service finds the event store again', async () => {
    return (await service.call('GET', '/health/ready')).status === 200;
  });
}
