import { jsonBytes, LruMap } from '#bounded/lru-map.js';
import { Refusal } from '#domain/errors/refusal.js';

const MINUTE_MS = 60_000;
/** Beyond it, the subs that sent no request for longest are counted anew. */
const MAX_COUNT_BYTES = 16 * 1024 * 1024;

/** Returns the seconds until the next minute begins, when every caller may send requests again. */
export const secondsToNextMinute = (): number =>
  Math.ceil((MINUTE_MS - (Date.now() % MINUTE_MS)) / 1000);

/** Allows at most `perMinute` requests per sub and minute; used only if configured (SPEC §10). */
export class RateLimit {
  private minute = 0;
  private readonly counts = new LruMap<string, number>({
    maxBytes: MAX_COUNT_BYTES,
    bytesOf: jsonBytes,
  });

  constructor(private readonly perMinute: number) {}

  /** Counts a request. @throws Refusal RATE_LIMITED if the request exceeds the limit. */
  count(sub: string): void {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (minute !== this.minute) {
      this.minute = minute;
      this.counts.clear();
    }
    const count = (this.counts.get(sub) ?? 0) + 1;
    this.counts.set(sub, count);
    if (count > this.perMinute)
      throw new Refusal('RATE_LIMITED', { limit: `${this.perMinute} requests a minute` });
  }
}
