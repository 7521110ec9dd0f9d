import { createHash, randomBytes } from 'node:crypto';
import { Refusal } from '#domain/errors/refusal.js';
import { type Release, Shares } from '../platform/shares.js';

const LIFETIME_MS = 5 * 60_000;
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
  readonly release: Release;
  readonly expiresAt: number;
}

/**
 * The one-time links by which people sign in to the console. Each carries a token, works once, and for five
 * minutes at most. They are kept only here, under the hash of their secrets.
 */
export class SignInLinks {
  private readonly open = new Map<string, OpenLink>();
  private readonly shares = new Shares('sign-in links', { ofSubject: 10, ofAll: 1_000 });

  constructor(private readonly now: () => number = Date.now) {}

  /**
   * Makes a link that signs in with this token of a subject. It ends with the token at the latest.
   * @throws Refusal RATE_LIMITED if too many links are open.
   */
  make(token: string, sub: string, tokenExpiresAt: number): SignInLink {
    this.forgetExpired();
    const release = this.shares.take(sub);
    const code = randomBytes(SECRET_BYTES).toString('base64url');
    const expiresAt = Math.min(this.now() + LIFETIME_MS, tokenExpiresAt);
    this.open.set(hashOf(code), { token, release, expiresAt });
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
    this.close(hash, link);
    return link.token;
  }

  private forgetExpired(): void {
    const now = this.now();
    for (const [hash, link] of this.open) if (link.expiresAt <= now) this.close(hash, link);
  }

  private close(hash: string, { release }: OpenLink): void {
    this.open.delete(hash);
    release();
  }
}
