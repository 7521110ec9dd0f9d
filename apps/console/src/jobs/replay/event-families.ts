/** What kind of thing an event is about; each has a colour. */
export const FAMILIES = ['job', 'tick', 'kept', 'used', 'left', 'episode', 'query'] as const;
export type Family = (typeof FAMILIES)[number];

const OF_TYPE: Readonly<Record<string, Family>> = {
  ...{ job_started: 'job', job_ended: 'job', goal_set: 'job', ticked: 'tick' },
  ...{ wm_inserted: 'kept', promotion_event: 'kept', cwm_returned: 'kept' },
  ...{ wm_referenced: 'used', cwm_referenced: 'used', memory_read: 'used' },
  ...{ wm_forgotten: 'left', cwm_forgotten: 'left', cwm_aged: 'left' },
  ...{ wm_expired: 'left', cwm_expired: 'left', cwm_evicted: 'left' },
  ...{ episode_written: 'episode', episode_consolidated: 'episode', episodic_summary: 'episode' },
};

/** Returns the family of a type; a type that the console does not know counts as one of a query. */
export const familyOf = (type: string): Family =>
  Object.hasOwn(OF_TYPE, type) ? (OF_TYPE[type] ?? 'query') : 'query';

interface Shape {
  readonly types: readonly string[];
  readonly type_of: readonly number[];
}

/** Where a family stands in a column of the band, from 0 at the top to 1. */
export interface Share {
  readonly family: Family;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the columns of a band that shows what the events are about, in their order. Each column stands for as many
 * events as the others, and each family takes as much of it as it has of these events.
 */
export function bandOf({ types, type_of }: Shape, columns: number): readonly (readonly Share[])[] {
  const families = types.map((type) => FAMILIES.indexOf(familyOf(type)));
  const count = Math.min(columns, type_of.length);
  return Array.from({ length: count }, (_, column) => {
    const first = Math.floor((column * type_of.length) / count);
    const end = Math.floor(((column + 1) * type_of.length) / count);
    const counts = FAMILIES.map(() => 0);
    for (let number = first; number < end; number += 1)
      counts[families[type_of[number] ?? 0] ?? 0]! += 1;
    let from = 0;
    return FAMILIES.flatMap((family, index) => {
      const share = (counts[index] ?? 0) / (end - first);
      const place = { family, from, to: from + share };
      from += share;
      return share === 0 ? [] : [place];
    });
  });
}
