import type { MaceClient } from '#client/index.js';
import type { JobRecord } from './job-record';

/** The most facts that a job read whose values are compared. */
const MOST_READ = 200;

export function serviceRecord(mace: MaceClient, seed: string): JobRecord {
  const job = mace.job(seed);
  return {
    id: `service ${seed}`,
    timeline: (signal) => job.timeline({ signal }),
    events: (asked, signal) => job.events(asked, { signal }),
    stateAfter: (number, signal) => job.stateAfter(number, { signal }),
    plainEvent: (number, signal) => job.plainEvent(number, { signal }),
    valuesRead: async (version, signal) => {
      const { read } = await job.knew({ version, limit: MOST_READ }, { signal });
      return read;
    },
    service: {
      seed,
      unredactedAfter: async (version, options) => {
        const { wm, cwm } = await job.get({ version, unredacted: 'true' }, options);
        return { wm, cwm: cwm.items };
      },
    },
  };
}
