import { uncarriable } from '../determinism/canonical-json.js';
import { Refusal } from '../errors/refusal.js';
import { type Held, heldContent, isSealed } from '../held.js';
import { limitOf, requireSize, type SizeLimit } from '../size-limit.js';

export const REQUEST_ITEMS = 500;
/** The maximum canonical bytes of an item. */
export const ITEM_BYTES = 64 * 1024;
export const itemLimit = (place: number): SizeLimit => limitOf(`items.${place}`, ITEM_BYTES);
/** The maximum number of items in a conversation. */
const CONVERSATION_ITEMS = 100_000;

export const invalid = (reason: string): Refusal => new Refusal('INVALID_INPUT', { reason });

/** Checks new items. @throws Refusal INVALID_INPUT beyond the limits of SPEC N4. */
export function checkItems(items: readonly Held[], countAfter: number): void {
  if (items.length > REQUEST_ITEMS) throw invalid(`items: at most ${REQUEST_ITEMS} are allowed`);
  if (countAfter > CONVERSATION_ITEMS)
    throw invalid(`items: a conversation holds at most ${CONVERSATION_ITEMS}`);
  items.forEach(checkItem);
}

function checkItem(item: Held, place: number): void {
  const problem = isSealed(item) ? undefined : uncarriable(item.value);
  if (problem !== undefined) throw invalid(`items.${place}: ${problem}`);
  requireSize(heldContent(item), itemLimit(place));
}
