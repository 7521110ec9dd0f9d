import type { MaceError } from '#client/mace-error.js';

/** True if the error means that recorded data is broken. Other errors mean that the check could not run. */
export const isIntegrityFailure = ({ code }: MaceError): boolean =>
  code === 'REPLAY_DIVERGENCE' || code === 'INTEGRITY_FAILURE';
