import { Injectable } from '@nestjs/common';

/** How long a reviewer counts as looking at a request after the last heartbeat, in ms. */
export const VIEWER_MS = 60_000;
/** The most requests at which one reviewer looks; beyond it, the reviewer counts as having left the earliest one. */
const MAX_OF_REVIEWER = 100;

/**
 * The people who look at each request now. Each instance knows only its own viewers, and forgets them when it stops:
 * no decision depends on them.
 */
@Injectable()
export class Viewers {
  private readonly seen = new Map<string, Map<string, number>>();
  /** For each reviewer the requests, in the order of the last heartbeat. */
  private readonly lookedAt = new Map<string, Set<string>>();

  /** Notes that somebody is looking at a request, and returns everybody who is. */
  look(requestId: string, sub: string): readonly string[] {
    const viewers = this.seen.get(requestId) ?? new Map<string, number>();
    viewers.set(sub, Date.now());
    this.seen.set(requestId, viewers);
    const own = this.lookedAt.get(sub) ?? new Set<string>();
    own.delete(requestId);
    this.lookedAt.set(sub, own.add(requestId));
    const [earliest] = own;
    if (own.size > MAX_OF_REVIEWER && earliest !== undefined) this.leave(earliest, sub);
    return this.of(requestId);
  }

  /** Returns every request at which somebody is looking. */
  all(): { readonly request_id: string; readonly viewers: readonly string[] }[] {
    return [...this.seen.keys()]
      .map((request_id) => ({ request_id, viewers: this.of(request_id) }))
      .filter(({ viewers }) => viewers.length > 0);
  }

  leave(requestId: string, sub: string): readonly string[] {
    this.seen.get(requestId)?.delete(sub);
    this.lookedAt.get(sub)?.delete(requestId);
    return this.of(requestId);
  }

  /** Returns the subs that are looking at a request, sorted. */
  of(requestId: string): readonly string[] {
    const viewers = this.seen.get(requestId);
    if (viewers === undefined) return [];
    const since = Date.now() - VIEWER_MS;
    for (const [sub, at] of viewers) if (at <= since) viewers.delete(sub);
    if (viewers.size === 0) this.seen.delete(requestId);
    return [...viewers.keys()].sort();
  }
}
