import type { MaceError } from '#client/mace-error.js';

/** The codes that say that what was recorded is not as it was: broken, rather than not checked. */
export const isIntegrityFailure = ({ code }: MaceError): boolean =>
  code === 'REPLAY_DIVERGENCE' || code === 'INTEGRITY_FAILURE';
