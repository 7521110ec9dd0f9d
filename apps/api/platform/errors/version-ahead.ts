import { Refusal } from '#domain/errors/refusal.js';

/** Makes the refusal of a read at a version that the stream has not reached. */
export const versionAhead = (version: number, last: number): Refusal =>
  new Refusal('INVALID_INPUT', { reason: `version: ${version} is beyond the last event, ${last}` });
