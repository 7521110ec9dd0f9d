import type { ActionRequestListing, Json } from '#client/index.js';
import { type ShownChange, shownChanges, shownValue } from '../changes/shown-changes';
import type { SeenRequest } from './held-votes';
import { nameOf } from './words';

type Named = Pick<ActionRequestListing, 'kind' | 'target_sem_key' | 'value'>;

/** A request with the value that its target has now: null for a fact that does not exist. */
interface Changing extends Named {
  readonly present?: { readonly value: Json } | null;
}

/** Names a request in few letters: `northwind › office`, or what an erasure destroys. */
export function shortNameOf({ kind, target_sem_key, value }: Named): string {
  const [, , entity, ...attribute] = target_sem_key?.split('/') ?? [];
  if (entity !== undefined && attribute.length > 0) return `${entity} › ${attribute.join('/')}`;
  const subject = subjectIn(value);
  const name = nameOf({ kind, target_sem_key });
  return subject === undefined ? name : `${name} › ${subject}`;
}

/** The last part of a key, which names the value. */
export const attributeOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

function subjectIn(value: Json): string | undefined {
  if (typeof value !== 'object' || value === null || !('subject' in value)) return undefined;
  return typeof value['subject'] === 'string' ? value['subject'] : undefined;
}

/** Returns a request in few words, as the reviewer has seen it. */
export const seenRequest = (
  request: Changing & Pick<ActionRequestListing, 'request_id' | 'proposal_hash'>,
): SeenRequest => ({
  request_id: request.request_id,
  proposal_hash: request.proposal_hash,
  name: shortNameOf(request),
  changes: changesOf(request),
});

/** Returns what an approval changes; of a fact whose present value is not known, the value alone. */
export function changesOf({ kind, value, present }: Changing): readonly ShownChange[] {
  if (kind !== 'sem_put') return shownChanges({}, value);
  return present === null || present === undefined
    ? shownValue(value, present === null)
    : shownChanges(present.value, value);
}
