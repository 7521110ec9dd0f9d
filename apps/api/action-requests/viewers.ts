import { Injectable } from '@nestjs/common';
import { LruMap, stringBytes } from '#bounded/lru-map.js';

/** How long a reviewer counts as looking at a request after the last heartbeat, in ms. */
export const VIEWER_MS = 60_000;
/** The most requests at which one reviewer looks; beyond it, the reviewer counts as having left the earliest one. */
const MAX_OF_REVIEWER = 100;
const MAX_BYTES = 4 * 1024 * 1024;
const LOOK_BYTES = 100;

/** A request, and the wall-clock time in ms of the last heartbeat. */
type Look = readonly [requestId: string, at: number];

/**
 * The people who look at each request now. Each instance knows only its own viewers, and forgets them when it stops:
 * no decision depends on them.
 */
@Injectable()
export class Viewers {
  /** For each person the requests, in the order of the last heartbeat. */
  private readonly looks = new LruMap<string, readonly Look[]>({
    maxBytes: MAX_BYTES,
    bytesOf: (looks, sub) =>
      looks.reduce((sum, [id]) => sum + stringBytes(id) + LOOK_BYTES, stringBytes(sub)),
  });

  /** Notes that somebody is looking at a request, and returns everybody who is. */
  look(requestId: string, sub: string): readonly string[] {
    const looks = [...this.others(requestId, sub), [requestId, Date.now()] as const];
    this.looks.set(sub, looks.slice(-MAX_OF_REVIEWER));
    return this.of(requestId);
  }

  /** Returns every request at which somebody is looking. */
  all(): { readonly request_id: string; readonly viewers: readonly string[] }[] {
    const ids = new Set([...this.looks.keys()].flatMap((sub) => this.now(sub).map(([id]) => id)));
    return [...ids].map((request_id) => ({ request_id, viewers: this.of(request_id) }));
  }

  leave(requestId: string, sub: string): readonly string[] {
    const left = this.others(requestId, sub);
    if (left.length === 0) this.looks.delete(sub);
    else this.looks.set(sub, left);
    return this.of(requestId);
  }

  /** Returns the subs that are looking at a request, sorted. */
  of(requestId: string): readonly string[] {
    return [...this.looks.keys()]
      .filter((sub) => this.now(sub).some(([id]) => id === requestId))
      .sort();
  }

  private now(sub: string): readonly Look[] {
    const since = Date.now() - VIEWER_MS;
    return (this.looks.peek(sub) ?? []).filter(([, at]) => at > since);
  }

  private others(requestId: string, sub: string): readonly Look[] {
    return this.now(sub).filter(([id]) => id !== requestId);
  }
}
