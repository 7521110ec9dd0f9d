import type { MaceError } from '#client/mace-error.js';

/** Whether the error means that recorded data is broken, not that the check could not run. */
export const isIntegrityFailure = ({ code }: MaceError): boolean =>
  code === 'REPLAY_DIVERGENCE' || code === 'INTEGRITY_FAILURE';
