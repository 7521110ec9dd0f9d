import type { JobRecord } from '../record/job-record';

/** A job that is compared: one of the service, or one in a file. */
export interface ComparedSide {
  readonly seed: string;
  /** The heading of its column: the seed, or the name of the file. */
  readonly name: string;
  readonly isFile: boolean;
  /** False for a broken file: it may have lost events, or have others that cannot be read. */
  readonly isIntact: boolean;
  readonly record: JobRecord;
}
