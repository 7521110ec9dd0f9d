/** Returns the base URL of the service that the tests use. */
export function serviceUrl(): string;

/** Who a token is for. */
export interface TokenOwner {
  readonly sub: string;
  /** The default is `agent`. */
  readonly role?: 'agent' | 'user' | 'council' | 'admin' | 'auditor';
  /** The user for whom the token acts. */
  readonly userId?: string;
}

/** Mints a token of this service (JWT, HS256) that is valid for an hour. */
export function mintToken(owner: TokenOwner): string;
