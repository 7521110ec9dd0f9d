import type { MaceClient } from '#client/index.js';
import type { JobRecord } from './job-record';

/** Returns the record of a job that the service has. */
export function serviceRecord(mace: MaceClient, seed: string): JobRecord {
  const job = mace.job(seed);
  return {
    id: `service ${seed}`,
    timeline: (signal) => job.timeline({ signal }),
    events: (asked, signal) => job.events(asked, { signal }),
    stateAfter: (number, signal) => job.stateAfter(number, { signal }),
    plainEvent: (number, signal) => job.plainEvent(number, { signal }),
    service: {
      seed,
      unredactedAfter: async (version, options) => {
        const { wm, cwm } = await job.get({ version, unredacted: 'true' }, options);
        return { wm, cwm: cwm.items };
      },
    },
  };
}
