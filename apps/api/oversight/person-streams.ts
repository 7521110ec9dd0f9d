import { Injectable } from '@nestjs/common';
import { foldUserId, userEntityId } from '#domain/canonical-key/canonical-key.js';
import { ownerName } from '#domain/memory-contract/owners.js';
import { subjectOfUser } from '#domain/privacy/subject.js';
import { jobStream, memoryStream, requestStream } from '#domain/stream-names.js';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import { JobQueries } from '#projections/jobs/queries.js';
import type { StreamsOfPerson } from '#projections/oversight/queries.js';
import { StreamNames } from '../platform/stream-names.js';

/** Of a person's jobs and requests, so many of the newest are looked at. */
const NEWEST = 1_000;

/** Finds which streams hold what is known about a person. */
@Injectable()
export class PersonStreams {
  constructor(
    private readonly names: StreamNames,
    private readonly jobs: JobQueries,
    private readonly requests: ActionRequestQueries,
  ) {}

  /**
   * Returns the person's facts, store and memories, and the newest jobs that ran for them and requests about them. @param asOf
   * the position up to which they began; undefined for the present
   */
  async of(userId: string, asOf?: bigint): Promise<StreamsOfPerson> {
    const folded = foldUserId(userId);
    const [memories, jobs, requests] = await Promise.all([
      this.names.memoriesStream(subjectOfUser(userId), 'read'),
      this.jobs.list({
        ...{ userId: folded, limit: NEWEST },
        ...(asOf === undefined ? {} : { startedBy: asOf.toString() }),
      }),
      this.requests.concerning(folded, NEWEST, asOf),
    ]);
    return {
      entity_id: userEntityId(userId),
      streams: [
        memoryStream('user', ownerName(userId)),
        memories,
        ...jobs.map(({ job_seed }) => jobStream(job_seed)),
        ...requests.map(requestStream),
      ],
    };
  }
}
