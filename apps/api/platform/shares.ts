import { Refusal } from '#domain/errors/refusal.js';

/** The most places of a pool that one subject has at a time and, if the pool itself is limited, all together. */
export interface ShareLimits {
  readonly ofSubject: number;
  readonly ofAll?: number;
}

/** Gives a place back. A second call changes nothing. */
export type Release = () => void;

/** The places of a pool in this process. Each subject has a share, so that nobody uses up the places of others. */
export class Shares {
  private readonly taken = new Map<string, number>();
  private all = 0;

  /** @param what what the places are, in the plural, for the refusal */
  constructor(
    private readonly what: string,
    private readonly limits: ShareLimits,
  ) {}

  /** Takes a place for a subject. @throws Refusal RATE_LIMITED if the subject's share or the pool is used up. */
  take(sub: string): Release {
    const { ofSubject, ofAll = Infinity } = this.limits;
    const own = this.taken.get(sub) ?? 0;
    if (own >= ofSubject)
      throw new Refusal('RATE_LIMITED', { limit: `${ofSubject} open ${this.what}` });
    if (this.all >= ofAll)
      throw new Refusal('RATE_LIMITED', { limit: `${ofAll} open ${this.what} of all` });
    this.taken.set(sub, own + 1);
    this.all += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.release(sub);
    };
  }

  private release(sub: string): void {
    const own = (this.taken.get(sub) ?? 1) - 1;
    if (own === 0) this.taken.delete(sub);
    else this.taken.set(sub, own);
    this.all -= 1;
  }
}
