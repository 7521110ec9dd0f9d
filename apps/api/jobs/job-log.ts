import { Inject, Injectable } from '@nestjs/common';
import { identityOfStep } from '#domain/determinism/command-identity.js';
import { eventId, reflectiveLogId } from '#domain/determinism/ids.js';
import { startedJob, type JobState } from '#domain/job/state.js';
import { reflectiveFieldsOf } from '#domain/reflective-log/reflective-fields-of.js';
import { type Keyring, signLog } from '#domain/reflective-log/signature.js';
import { reflectiveStream } from '#domain/stream-names.js';
import type { Loaded } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import type { KeyedHash } from '../platform/http/identity.js';
import type { ReflectiveLogStore } from '../platform/stores.js';
import { EVENT_STORE, KEYED_HASH, KEYRING, REFLECTIVE_LOG_STORE } from '../platform/tokens.js';
import { SYSTEM_VERSION } from '../platform/version.js';
import { LogArtifacts } from '../reflective-logs/log-artifacts.js';
import { recordedRun } from './query-run.js';

/**
 * Writes the ReflectiveLog of an ended job, one for each job (SPEC L7). A repeated call adds nothing.
 */
@Injectable()
export class JobLog {
  constructor(
    @Inject(REFLECTIVE_LOG_STORE) private readonly logs: ReflectiveLogStore,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(KEYRING) private readonly keyring: Keyring,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    private readonly artifacts: LogArtifacts,
  ) {}

  /**
   * Writes the log. Returns the position of its event; undefined for a job that has not ended.
   * @param job the job after all outcomes of its end; the log contains the hash of the last one.
   */
  async write({ state, headHash }: Loaded<JobState>, traceId: string): Promise<bigint | undefined> {
    if (state.ended_at === undefined) return undefined;
    const { owner, job_seed, goal } = startedJob(state);
    const stream = reflectiveStream(reflectiveLogId(job_seed));
    // Both streams are read at the same time, so `execute` finds the log's stream loaded.
    const [run] = await Promise.all([
      state.query && recordedRun(this.eventStore, state.stream),
      this.logs.load(stream),
    ]);
    const log = await this.artifacts.fitting(
      reflectiveFieldsOf(state, {
        headHash,
        systemVersion: SYSTEM_VERSION,
        goalHash: this.keyedHash(goal ?? ''),
        ...(run === undefined ? {} : { run }),
      }),
    );
    const caused_by = eventId(state.stream, state.ended_at, 'job_ended');
    const signature = signLog(log, this.keyring);
    const { position } = await this.logs.execute(
      stream,
      [{ type: 'write', log, signature, owner, origin: 'job' }],
      identityOfStep(caused_by, { job_seed }, traceId),
    );
    return position;
  }
}
