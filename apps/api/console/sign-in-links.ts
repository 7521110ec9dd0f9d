import { createHash, randomBytes } from 'node:crypto';
import { Refusal } from '#domain/errors/refusal.js';

const LIFETIME_MS = 5 * 60_000;
/** The most open links in all, and of one subject, so that nobody uses up the links of others. */
const MAX_OPEN = 1_000;
const MAX_OF_SUBJECT = 10;
const SECRET_BYTES = 32;

const hashOf = (code: string): string => createHash('sha256').update(code).digest('base64url');

/** The secret of a new link, and until when it works. */
export interface SignInLink {
  readonly code: string;
  /** The wall-clock time in ms. */
  readonly expiresAt: number;
}

interface OpenLink {
  readonly token: string;
  readonly sub: string;
  readonly expiresAt: number;
}

/**
 * The one-time links by which people sign in to the console. Each carries a token, works once, and for five
 * minutes at most. They are kept only here, under the hash of their secrets.
 */
export class SignInLinks {
  private readonly open = new Map<string, OpenLink>();

  constructor(private readonly now: () => number = Date.now) {}

  /**
   * Makes a link that signs in with this token of a subject. It ends with the token at the latest.
   * @throws Refusal RATE_LIMITED if too many links are open.
   */
  make(token: string, sub: string, tokenExpiresAt: number): SignInLink {
    this.forgetExpired();
    const own = [...this.open.values()].filter((link) => link.sub === sub).length;
    if (own >= MAX_OF_SUBJECT)
      throw new Refusal('RATE_LIMITED', { limit: `${MAX_OF_SUBJECT} open sign-in links` });
    if (this.open.size >= MAX_OPEN)
      throw new Refusal('RATE_LIMITED', { limit: `${MAX_OPEN} open sign-in links of all` });
    const code = randomBytes(SECRET_BYTES).toString('base64url');
    const expiresAt = Math.min(this.now() + LIFETIME_MS, tokenExpiresAt);
    this.open.set(hashOf(code), { token, sub, expiresAt });
    return { code, expiresAt };
  }

  /**
   * Returns the token of a link, which works no more.
   * @throws Refusal UNAUTHENTICATED if the link is unknown, was used, or has expired.
   */
  use(code: string): string {
    this.forgetExpired();
    const hash = hashOf(code);
    const link = this.open.get(hash);
    if (link === undefined)
      throw new Refusal('UNAUTHENTICATED', {
        reason: 'the sign-in link is unknown, was used, or has expired',
      });
    this.open.delete(hash);
    return link.token;
  }

  private forgetExpired(): void {
    const now = this.now();
    for (const [hash, { expiresAt }] of this.open) if (expiresAt <= now) this.open.delete(hash);
  }
}
