export type Role = 'agent' | 'user' | 'council' | 'admin' | 'auditor';

/** A signed-in person: the token, and what it says. The service checks the token; the console only shows it. */
export interface Session {
  readonly token: string;
  readonly sub: string;
  readonly roles: readonly Role[];
  readonly userId: string | undefined;
  /** The end of the token's life in milliseconds since 1970; undefined if it has none. */
  readonly expiresAt: number | undefined;
}

const KEY = 'mace.session';

interface Claims {
  readonly sub?: unknown;
  readonly roles?: unknown;
  readonly user_id?: unknown;
  readonly exp?: unknown;
}

/** Reads a token. Returns undefined for a text that is not a token of the service. */
export function sessionOf(token: string): Session | undefined {
  try {
    const payload = token.split('.')[1] ?? '';
    const bytes = Uint8Array.from(
      atob(payload.replace(/-/g, '+').replace(/_/g, '/')),
      (character) => character.charCodeAt(0),
    );
    const { sub, roles, user_id, exp } = JSON.parse(new TextDecoder().decode(bytes)) as Claims;
    if (typeof sub !== 'string' || !Array.isArray(roles)) return undefined;
    return {
      ...{ token, sub, roles: roles as Role[] },
      userId: typeof user_id === 'string' ? user_id : undefined,
      expiresAt: typeof exp === 'number' ? exp * 1000 : undefined,
    };
  } catch {
    return undefined;
  }
}

/** Returns the session of this tab. It is kept until the tab is closed. */
export function storedSession(): Session | undefined {
  const token = sessionStorage.getItem(KEY);
  return token === null ? undefined : sessionOf(token);
}

export function storeSession(session: Session | undefined): void {
  if (session === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, session.token);
}

/** The roles that watch over the memory: they read what is everyone's. */
export const WATCHERS: readonly Role[] = ['admin', 'auditor', 'council'];

export const hasRole = ({ roles }: Session, ...wanted: readonly Role[]): boolean =>
  wanted.some((role) => roles.includes(role));

/** Names the person of a session, whatever the token: tokens with one `sub` can stand for different users. */
export const personOf = ({ sub, userId }: Pick<Session, 'sub' | 'userId'>): string =>
  JSON.stringify(userId === undefined ? [sub] : [sub, userId]);

/** True if both are sessions of the same person, perhaps with different tokens. */
export const isSamePerson = (one: Session | undefined, other: Session | undefined): boolean =>
  (one && personOf(one)) === (other && personOf(other));
