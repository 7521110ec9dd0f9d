import { randomInt } from 'node:crypto';

/** Letters that spell no word; digits could look like personal data to the privacy gate. */
const LETTERS = 'bcdfghjkmnpqrstvwxz';

const ofThisFile = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/**
 * Makes a name that no other test file and no other run uses: `named('order')` is `order_wkqzbtrm`, and
 * the same each time within one file. For seeds, users, keys, sessions and spaces on a shared event store.
 */
export const named = (name: string): string => `${name}_${ofThisFile}`;
