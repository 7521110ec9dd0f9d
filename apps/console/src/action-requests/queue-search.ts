import type { QueryOf } from '#client/schemas.js';
import { given, oneOf, textIn } from '../data/search-params';

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
export const QUESTIONS = ['answered_caller', 'answered', 'waiting'] as const;
/** `only`: an approval would be refused now. `none`: it would not. */
export const REFUSALS = ['only', 'none'] as const;
/** The longest text of a filter, in UTF-16 units. */
export const TEXT_LENGTH = 256;
export const GROUPS = ['proposer', 'job'] as const;
export const ORDERS = ['deadline', 'risk', 'oldest'] as const;

/** The filters of the queue, as they stand in the URL. What is missing has its default. */
export interface QueueSearch {
  /** `pending` by default. */
  readonly status?: (typeof STATUSES)[number];
  readonly risk?: (typeof RISKS)[number];
  readonly kind?: (typeof KINDS)[number];
  /** Selects by the state of the last question: unanswered, answered, or answered to this person. */
  readonly question?: (typeof QUESTIONS)[number];
  /** Only requests whose approval would be refused now, or none of them. */
  readonly refused?: (typeof REFUSALS)[number];
  /** `deadline` by default. */
  readonly order?: (typeof ORDERS)[number];
  /** How the requests are grouped; undefined for one list. */
  readonly group?: (typeof GROUPS)[number];
  readonly proposer?: string;
  /** The first characters of the target. */
  readonly key?: string;
  /** A part of the target or of the justification. */
  readonly text?: string;
  /** Pending requests with the reader's own vote are left out, unless this is set. */
  readonly voted?: true;
  /** The sub of the reviewer who works on them. */
  readonly assigned?: string | undefined;
  /** Only what the reader has put off, which is left out otherwise. */
  readonly snoozed?: true | undefined;
  /** The request that has the focus when the queue opens. */
  readonly at?: string;
}

const textOf = (found: unknown): string | undefined => textIn(found)?.slice(0, TEXT_LENGTH);

/** Reads the filters from a URL. Values that the queue does not know are dropped. */
export function queueSearchOf(search: Record<string, unknown>): QueueSearch {
  return given({
    status: oneOf(STATUSES, search['status']),
    risk: oneOf(RISKS, search['risk']),
    kind: oneOf(KINDS, search['kind']),
    question: oneOf(QUESTIONS, search['question']),
    refused: oneOf(REFUSALS, search['refused']),
    order: oneOf(ORDERS, search['order']),
    group: oneOf(GROUPS, search['group']),
    proposer: textOf(search['proposer']),
    key: textOf(search['key']),
    text: textOf(search['text']),
    voted: oneOf([true] as const, search['voted']),
    assigned: textOf(search['assigned']),
    snoozed: oneOf([true] as const, search['snoozed']),
    at: textOf(search['at']),
  });
}

/** Returns the filters without what only changes how the list is shown, such as the focus. */
export function filtersOf({ at: _, group: _group, ...filters }: QueueSearch): QueueSearch {
  return filters;
}

/**
 * Returns the filter of the queue at a moment. What depends on the present, such as the risk or the time that is left,
 * has no past.
 */
export function pastFilterOf(search: QueueSearch, at: string): ListFilter {
  const { status = 'pending', kind, proposer, key: key_prefix, text } = search;
  return { status, at, ...given({ kind, proposer, key_prefix, text }) };
}

export function listFilterOf(search: QueueSearch): ListFilter {
  const {
    status = 'pending',
    order = 'deadline',
    key,
    voted,
    refused,
    assigned,
    snoozed,
    ...same
  } = filtersOf(search);
  const isPending = status === 'pending';
  return {
    ...{ status, order },
    ...same,
    ...(key === undefined ? {} : { key_prefix: key }),
    ...(assigned === undefined ? {} : { assigned_to: assigned }),
    ...(isPending ? { snoozed: snoozed === true ? ('true' as const) : ('false' as const) } : {}),
    ...(isPending && voted === undefined ? { voted: 'false' as const } : {}),
    ...(isPending && refused !== undefined
      ? { would_be_refused: refused === 'only' ? ('true' as const) : ('false' as const) }
      : {}),
  };
}
