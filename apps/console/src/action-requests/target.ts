import type { ActionRequestListing, Json } from '#client/index.js';
import { isFields } from '../changes/changed-paths';
import { type ShownChange, shownChanges, shownValue } from '../changes/shown-changes';
import { REASONS } from '../privacy/request-erasure-form';
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
  const subject = fieldIn(value, 'subject');
  const name = nameOf({ kind, target_sem_key });
  return subject === undefined ? name : `${name} › ${subject}`;
}

/** The last part of a key, which names the value. */
export const attributeOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

function fieldIn(value: Json, field: string): string | undefined {
  const found = isFields(value) ? value[field] : undefined;
  return typeof found === 'string' ? found : undefined;
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

const CODES: ReadonlyMap<string, string> = new Map(Object.entries(REASONS));
/** The words for the fields of a consent or an erasure, in their order. The subject stands in the name of the request. */
const FIELD_WORDS = { reason_code: 'reason:', consent_id: 'consent' } as const;

/** Returns what a request for a consent or an erasure asks, in words. */
const requestedIn = (value: Json): readonly ShownChange[] =>
  Object.entries(FIELD_WORDS).flatMap(([field, path]) => {
    const found = fieldIn(value, field);
    return found === undefined ? [] : [{ path, after: CODES.get(found) ?? found }];
  });

/** Returns what an approval changes; of a fact whose present value is not known, the value alone. */
export function changesOf({ kind, value, present }: Changing): readonly ShownChange[] {
  if (kind !== 'sem_put') return requestedIn(value);
  return present === null || present === undefined
    ? shownValue(value, present === null)
    : shownChanges(present.value, value);
}
