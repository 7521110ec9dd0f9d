import { given, textIn } from '../data/search-params';

/** The person of the page, as its address has it. */
export interface PersonSearch {
  readonly user_id?: string;
}

export const personSearchOf = ({ user_id }: Record<string, unknown>): PersonSearch =>
  given({ user_id: textIn(user_id) });
