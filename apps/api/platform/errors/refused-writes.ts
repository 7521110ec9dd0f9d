import type { GatedRequest } from '../http/gated-request.js';

/** The stream and the route of a write that was refused because the log was full. */
export interface RefusedAt {
  readonly stream: string;
  /** The HTTP method and path pattern, without ids. */
  readonly route: string;
}

/** Stores writes that were refused because the log was full (SPEC F2). */
export interface RefusedWrites {
  /** Resolves when the request is stored, or when a fatal log line reports its loss. Never fails. */
  keep(request: GatedRequest, at: RefusedAt): Promise<void>;
  /** Returns the number of waiting writes; null while Postgres cannot tell. */
  waiting(): Promise<number | null>;
}
