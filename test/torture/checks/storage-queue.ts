import type { Postgres } from '#read-model/postgres.js';
import { until } from '#test/faults/support/until.js';

interface Waiting {
  readonly route: string;
  readonly last_code: string;
}

/** The codes with which a rule may refuse a write that its client has sent again, or given up. */
const REFUSALS = [
  'NOT_FOUND',
  'PERMISSION_DENIED',
  'JOB_EXISTS',
  'JOB_ENDED',
  'VERSION_CONFLICT',
  'SEM_NOT_FOUND',
];

/**
 * Waits until the queue has replayed every write that it can replay. Returns the writes that wait for a person
 * although no rule of the workload refuses them.
 */
export async function queueFaults(rows: Postgres): Promise<string[]> {
  await until('the storage queue is empty', async () => {
    const open = await rows.query<Waiting>(
      'select route, last_code from admin_queue.refused_write where not waits_for_person',
    );
    if (open.length > 0) throw new Error(`${open.length} writes wait: ${JSON.stringify(open[0])}`);
    return true;
  });
  const waiting = await rows.query<Waiting>(
    'select route, last_code from admin_queue.refused_write',
  );
  return waiting
    .filter(({ last_code }) => !REFUSALS.includes(last_code))
    .map(({ route, last_code }) => `${route} waits for a person after ${last_code}`);
}
