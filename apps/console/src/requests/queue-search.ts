import type { QueryOf } from '#client/schemas.js';

type ListFilter = QueryOf<'/v1/action-requests'>;

export const STATUSES = [
  'pending',
  'approved',
  'executed',
  'execution_refused',
  'rejected',
  'expired',
] as const;
export const RISKS = ['high', 'medium', 'low'] as const;
export const KINDS = ['sem_put', 'sensitive_consent', 'erasure'] as const;
export const ORDERS = ['deadline', 'risk', 'oldest'] as const;

/** The filters of the queue, as they stand in the URL. What is missing has its default. */
export interface QueueSearch {
  /** `pending` by default. */
  readonly status?: (typeof STATUSES)[number];
  readonly risk?: (typeof RISKS)[number];
  readonly kind?: (typeof KINDS)[number];
  /** `deadline` by default. */
  readonly order?: (typeof ORDERS)[number];
  readonly proposer?: string;
  /** The first characters of the target. */
  readonly key?: string;
  /** A part of the target or of the justification. */
  readonly text?: string;
  /** Pending requests with the reader's own vote are left out, unless this is set. */
  readonly voted?: true;
  /** The request that has the focus when the queue opens. */
  readonly at?: string;
}

const oneOf = <Value extends string>(values: readonly Value[], given: unknown): Value | undefined =>
  values.find((value) => value === given);

const textOf = (given: unknown): string | undefined =>
  typeof given === 'string' && given !== '' ? given.slice(0, 256) : undefined;

/** Reads the filters from a URL. Values that the queue does not know are dropped. */
export function queueSearchOf(search: Record<string, unknown>): QueueSearch {
  const read = {
    status: oneOf(STATUSES, search['status']),
    risk: oneOf(RISKS, search['risk']),
    kind: oneOf(KINDS, search['kind']),
    order: oneOf(ORDERS, search['order']),
    proposer: textOf(search['proposer']),
    key: textOf(search['key']),
    text: textOf(search['text']),
    voted: search['voted'] === true ? true : undefined,
    at: textOf(search['at']),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** Returns the filters without the focus, so that moving it is not another list. */
export function filtersOf({ at: _, ...filters }: QueueSearch): QueueSearch {
  return filters;
}

/** Returns what the API takes for these filters. */
export function listFilterOf(search: QueueSearch): ListFilter {
  const { status = 'pending', risk, kind, order = 'deadline', proposer, key, text, voted } = search;
  return {
    ...{ status, order },
    ...(risk === undefined ? {} : { risk }),
    ...(kind === undefined ? {} : { kind }),
    ...(proposer === undefined ? {} : { proposer }),
    ...(key === undefined ? {} : { key_prefix: key }),
    ...(text === undefined ? {} : { text }),
    ...(status === 'pending' && voted === undefined ? { voted: 'false' as const } : {}),
  };
}
