import { type EventSchema, input } from '../decider.js';

/** The event of `owner-<slug>`. The first raw id that writes under a slug owns the slug (SPEC I9). */
export type OwnerEvent = {
  readonly type: 'owner_claimed';
  readonly data: { readonly slug: string; readonly raw_id: string };
};

export const ownerSchemas: Readonly<Record<OwnerEvent['type'], EventSchema>> = {
  owner_claimed: input,
};
