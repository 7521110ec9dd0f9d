import { firstAtOrAfter } from '#domain/job/event-matches.js';
import type { RecordEvent, Timeline } from '../record/job-record';

/** Returns the tick in which an event happened. */
export const tickAt = ({ ticks }: Pick<Timeline, 'ticks'>, number: number): number =>
  firstAtOrAfter(ticks, number + 1);

export const typeAt = ({ types, type_of }: Timeline, number: number): string =>
  types[type_of[number] ?? -1] ?? '';

/** Returns the wall-clock time at which an event was appended. */
export const timeOf = (event: RecordEvent | undefined): string | undefined => {
  const at = event?.metadata['recorded_at'];
  return typeof at === 'string' ? at : undefined;
};
