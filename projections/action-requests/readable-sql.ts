import type { ReadableRequests } from '#domain/action-request/view.js';

/**
 * True for a row that the caller may read, by the five parameters of `readableValues` from `$first` on; all of them null
 * for a caller who reads every request.
 */
export const isReadable = (row: string, first: number): string => {
  const [sub, anyUser, user, madeFor, entity] = [0, 1, 2, 3, 4].map((place) => `$${first + place}`);
  return `(${sub}::text is null or ${row}.made_for_folded = ${madeFor} or ${row}.made_for = ${entity}
    or ${row}.proposer_sub = ${sub}
      and (${anyUser}::boolean or ${row}.proposer_user_folded is not distinct from ${user}))`;
};

/** The parameters of `isReadable`. @param readable undefined for a caller who reads every request */
export function readableValues(readable: ReadableRequests | undefined): readonly unknown[] {
  if (readable === undefined) return [null, null, null, null, null];
  const { sub, user } = readable.proposer;
  const { user: concerned = null, entity = null } = readable.made_for ?? {};
  return [sub, user === undefined, user ?? null, concerned, entity];
}
