import type { GatedRequest } from '../http/gated-request.js';

/** Where a write was refused for want of room. */
export interface RefusedAt {
  readonly stream: string;
  /** Method and pattern, without ids. */
  readonly route: string;
}

/** What keeps writes that found no room (SPEC F2). */
export interface RefusedWrites {
  /** Resolves when the request is kept, or a fatal log line says that it is lost. Never fails. */
  keep(request: GatedRequest, at: RefusedAt): Promise<void>;
}
