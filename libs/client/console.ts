import { requireArguments } from './arguments.js';
import type { Schemas } from './schemas.js';
import type { CallOptions, Transport } from './transport.js';

/** Who the caller is, as the service has verified it. */
export type VerifiedSession = Schemas['SessionDto'];

/** How people sign in to the console. */
export type SignInWays = Schemas['SignInWaysDto'];

/** How people get into the console. */
export class ConsoleAccess {
  constructor(private readonly transport: Transport) {}

  /** Needs no token. */
  signInWays(options?: CallOptions): Promise<SignInWays> {
    return this.transport.get('/v1/console/sign-in', {}, options);
  }

  /**
   * Exchanges the code of a one-time sign-in link for its token. Needs no token. Fails with UNAUTHENTICATED if the
   * link is unknown, was used, or has expired, and with PERMISSION_DENIED on another machine than the service's.
   */
  useLink(code: string, options?: CallOptions): Promise<Schemas['SignedInDto']> {
    requireArguments({ code }, { code: 'text' });
    return this.transport.ask('/v1/console/sign-in', { code }, options);
  }

  /** Makes a one-time link that signs in with this client's token. Works only on the service's machine. */
  makeLink(options?: CallOptions): Promise<Schemas['SignInLinkDto']> {
    return this.transport.ask('/v1/console/links', {}, options);
  }

  /** Returns who the caller is, and until when. */
  session(options?: CallOptions): Promise<VerifiedSession> {
    return this.transport.get('/v1/console/session', {}, options);
  }
}
