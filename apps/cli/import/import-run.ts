import type { JobHandle } from '#client/jobs.js';
import { isMaceError, MaceError } from '#client/mace-error.js';
import type { MaceClient } from '#client/mace-client.js';
import { CommandFailure, EXIT } from '../exit-code.js';
import type { MappedRun } from './recording-to-commands.js';

/**
 * Sends a mapped run. Resolves when the job has ended in the state that the mapping predicted, with true if it had
 * ended before. The Idempotency-Keys depend only on the run, so after an interrupted import the service repeats its first
 * answers, and only the remaining requests add events (SPEC I7).
 */
export async function importRun(
  client: MaceClient,
  { start, batches, events }: MappedRun,
  signal: AbortSignal,
): Promise<boolean> {
  const key = (part: string) => ({ idempotencyKey: `import:${start.job_seed}:${part}`, signal });
  const job = client.job(start.job_seed);
  const hadEnded = await hasEnded(job, signal);
  await client.jobs.start(start, key('start'));
  for (const [index, commands] of batches.entries())
    await job.batch(commands, key(`commands:${index}`));
  const { version } = await job.get({}, { signal });
  if (version + 1 !== events)
    throw new CommandFailure(
      EXIT.broken,
      `the service has ${version + 1} events where the rules of this version make ${events}`,
    );
  return hadEnded;
}

async function hasEnded(job: JobHandle, signal: AbortSignal): Promise<boolean> {
  try {
    return (await job.get({}, { signal })).status === 'ended';
  } catch (error) {
    if (isMaceError(error, 'NOT_FOUND', 'PERMISSION_DENIED')) return false;
    throw error;
  }
}

/** True for an error that has to do with the service or the token, and so with every run. */
const isOfEveryRun = ({ status, code }: MaceError): boolean =>
  status === 401 || status === 429 || (status >= 500 && code !== 'INTERNAL');

/** Returns why the service did not record this run; undefined if the error has to do with every run. */
export function refusalOf(error: unknown): string | undefined {
  if (error instanceof CommandFailure) return error.message;
  if (!(error instanceof MaceError) || isOfEveryRun(error)) return undefined;
  switch (error.code) {
    case 'JOB_EXISTS':
      return 'a job with this seed exists already, and was not made by this import; give the run another job_seed';
    case 'IDEMPOTENCY_MISMATCH':
      return 'a job with this seed was imported from another recording, or by another version; give the run another job_seed';
    default:
      return `${error.code}: ${error.developerMessage} (trace ${error.traceId})`;
  }
}
