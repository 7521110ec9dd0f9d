import type { RequestIdentity } from '../http/identity.decorator.js';

/** What keeps writes that found no room (SPEC F2). */
export interface RefusedWrites {
  /**
   * Resolves when the command of this request is kept, or it is said loudly that it is not. Never fails.
   * @param stream had no room for it.
   * @param route method and pattern, without ids.
   */
  keep(identity: RequestIdentity, stream: string, route: string): Promise<void>;
}
