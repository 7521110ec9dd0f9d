import { Injectable } from '@nestjs/common';
import { LruMap, stringBytes } from '#bounded/lru-map.js';

/** How long a reviewer counts as looking at a request after the last heartbeat, in ms. */
export const VIEWER_MS = 60_000;
const MAX_BYTES = 4 * 1024 * 1024;
const VIEWER_BYTES = 100;

/** When each person was seen last, in the wall-clock time in ms. */
type Seen = ReadonlyMap<string, number>;

/**
 * The people who look at each request now. Each instance knows only its own viewers, and forgets them when it stops:
 * no decision depends on them.
 */
@Injectable()
export class Viewers {
  private readonly seen = new LruMap<string, Seen>({
    maxBytes: MAX_BYTES,
    bytesOf: (viewers, requestId) =>
      [...viewers.keys()].reduce(
        (sum, sub) => sum + stringBytes(sub) + VIEWER_BYTES,
        stringBytes(requestId),
      ),
  });

  /** Notes that somebody is looking at a request, and returns everybody who is. */
  look(requestId: string, sub: string): readonly string[] {
    return this.keep(requestId, new Map(this.now(requestId)).set(sub, Date.now()));
  }

  /** Returns every request at which somebody is looking. */
  all(): { readonly request_id: string; readonly viewers: readonly string[] }[] {
    return [...this.seen.keys()]
      .map((request_id) => ({ request_id, viewers: this.of(request_id) }))
      .filter(({ viewers }) => viewers.length > 0);
  }

  leave(requestId: string, sub: string): readonly string[] {
    return this.keep(
      requestId,
      this.now(requestId).filter(([other]) => other !== sub),
    );
  }

  /** Returns the subs that are looking at a request, sorted. */
  of(requestId: string): readonly string[] {
    return this.now(requestId)
      .map(([sub]) => sub)
      .sort();
  }

  private now(requestId: string): [string, number][] {
    const since = Date.now() - VIEWER_MS;
    const viewers = [...(this.seen.peek(requestId) ?? [])].filter(([, at]) => at > since);
    if (viewers.length === 0) this.seen.delete(requestId);
    return viewers;
  }

  private keep(requestId: string, viewers: Iterable<readonly [string, number]>): readonly string[] {
    this.seen.set(requestId, new Map(viewers));
    return this.of(requestId);
  }
}
