import { REASON_CODES } from '#domain/action-request/events.js';
import type { ActionRequest, ActionRequestListing, RecheckedRequest } from '#client/index.js';
import { RISK_REASON_CODES, RISK_REASONS } from '#domain/action-request/risk-reasons.js';
import { inWords } from '../ui/instant';

export type Risk = NonNullable<ActionRequestListing['risk']>;
type Status = ActionRequestListing['status'];
type RecheckCode = NonNullable<RecheckedRequest['recheck']>[number]['code'];
export type Kind = ActionRequestListing['kind'];

/** What each reason of a risk means to a reviewer. */
export const RISK_REASON_WORDS = Object.fromEntries(
  RISK_REASON_CODES.map((code) => [code, RISK_REASONS[code].words]),
) as Readonly<Record<Risk['reasons'][number], string>>;

/** So many characters of reasons have room beside each other. */
const REASONS_ROOM = 88;

/** Returns the reasons of a risk in words, as many as have room, and the number of the others. */
export function shownReasons({ reasons }: Risk): { readonly shown: string; readonly left: number } {
  const [first = '', ...others] = reasons.map((reason) => RISK_REASON_WORDS[reason]);
  let shown = first;
  let left = others.length;
  for (const words of others) {
    if (`${shown} · ${words}`.length > REASONS_ROOM) break;
    shown = `${shown} · ${words}`;
    left -= 1;
  }
  return { shown, left };
}

export const RISK_WORDS: Readonly<Record<Risk['level'], string>> = {
  high: 'High risk',
  medium: 'Medium risk',
  low: 'Low risk',
};

export const RISK_BADGES = { high: 'bad', medium: 'warning', low: 'plain' } as const;

export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  pending: 'Pending',
  approved: 'Approved',
  executed: 'Written',
  execution_refused: 'Write refused',
  rejected: 'Rejected',
  expired: 'Expired',
};

export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  sem_put: 'Fact',
  sensitive_consent: 'Consent for sensitive data',
  erasure: 'Erasure',
};

/** What the check of a waiting request has found, in a few words. */
export const RECHECK_WORDS: Readonly<Record<RecheckCode, string>> = {
  overdue: 'the deadline has passed',
  fact_appeared: 'the fact has a value since',
  fact_changed: 'the fact has changed since',
  fact_deleted: 'the fact is deleted since',
  already_true: 'the fact has this value already',
  would_be_superseded: 'a later write stands',
  episode_missing: 'its episode cannot be found',
  episode_erased: 'its episode is erased',
  evidence_missing: 'cited evidence cannot be found',
  evidence_erased: 'cited evidence is erased',
  value_erased: 'the value is erased',
  consent_missing: 'no consent covers it',
  consent_revoked: 'the consent is revoked',
  personal_data_found: 'the rules find personal data in it',
};

export type ReasonCode = NonNullable<ActionRequest['votes'][number]['reason_code']>;

interface Rejection {
  readonly code: ReasonCode;
  readonly label: string;
  /** What the record says if the reviewer adds no words; empty if there is no general sentence. */
  readonly words: Readonly<Record<Kind, string>>;
}

const REJECTION_WORDS: Readonly<Record<ReasonCode, Omit<Rejection, 'code'>>> = {
  untrue: {
    label: 'Untrue',
    words: {
      sem_put: 'The value is not true.',
      sensitive_consent: 'The person has not said this.',
      erasure: 'The reason that is given is not true.',
    },
  },
  unsupported: {
    label: 'Unsupported',
    words: {
      sem_put: 'The evidence does not support the value.',
      sensitive_consent: 'Nothing shows that the person wants this.',
      erasure: 'Nothing shows that this has to be erased.',
    },
  },
  out_of_date: {
    label: 'Out of date',
    words: {
      sem_put: 'The value was true once, and is out of date.',
      sensitive_consent: 'The purpose of this consent is over.',
      erasure: 'The reason to erase this is over.',
    },
  },
  wrong_subject: {
    label: 'About something else, or too broad',
    words: {
      sem_put: 'The evidence is about something else, or about less than the value claims.',
      sensitive_consent: 'The consent is about somebody else, or covers too much.',
      erasure: 'This would erase the data of somebody else, or too much.',
    },
  },
  unclear: {
    label: 'Unclear',
    words: {
      sem_put: 'The value can be read in several ways.',
      sensitive_consent: 'It is not clear to what the person consents.',
      erasure: 'It is not clear what is to be erased, or why.',
    },
  },
  personal: {
    label: 'Personal',
    words: {
      sem_put: 'The value holds personal data.',
      sensitive_consent: 'This data is too personal to be kept.',
      erasure: 'The request holds personal data.',
    },
  },
  duplicate: {
    label: 'Duplicate',
    words: {
      sem_put: 'Another fact states the same.',
      sensitive_consent: 'Another consent covers this already.',
      erasure: 'Another erasure covers this already.',
    },
  },
  manipulated: {
    label: 'Gives orders, or is disguised',
    words: {
      sem_put: 'The evidence or the value gives orders, or is disguised.',
      sensitive_consent: 'The request gives orders, or is disguised.',
      erasure: 'The request gives orders, or is disguised.',
    },
  },
  other: { label: 'Other', words: { sem_put: '', sensitive_consent: '', erasure: '' } },
};

/** The reasons for a rejection (SPEC G8), in the order of their keys 1 to 9. */
export const REJECTIONS: readonly Rejection[] = REASON_CODES.map((code) => ({
  code,
  ...REJECTION_WORDS[code],
}));

/** Names a request: by its target, else by its kind. */
export const nameOf = ({
  target_sem_key,
  kind,
}: Pick<ActionRequestListing, 'target_sem_key' | 'kind'>): string =>
  target_sem_key ?? KIND_WORDS[kind];

/** The time that is left, or the outcome's time: `expires in 3 hours`. */
export function deadlineWords({
  status,
  expires_at,
  decided_at,
}: Pick<ActionRequestListing, 'status' | 'expires_at' | 'decided_at'>): string {
  if (status !== 'pending')
    return `${STATUS_WORDS[status].toLowerCase()} ${inWords(decided_at ?? expires_at)}`;
  const left = inWords(expires_at);
  return left.endsWith('ago') ? `expired ${left}` : `expires ${left}`;
}

/** Before the own vote, the page does not know how many of the votes are abstentions. */
export const quorumWords = ({
  votes_cast,
  votes_counted,
  quorum,
}: Pick<ActionRequestListing, 'votes_cast' | 'votes_counted' | 'quorum'>): string =>
  votes_counted === null && votes_cast > 0
    ? `${votes_cast} cast, ${quorum} needed`
    : `${votes_counted ?? 0} of ${quorum} vote${quorum === 1 ? '' : 's'}`;

/** True if less than two hours are left. */
export const isUrgent = ({
  status,
  expires_at,
}: Pick<ActionRequestListing, 'status' | 'expires_at'>): boolean =>
  status === 'pending' && Date.parse(expires_at) - Date.now() < 7_200_000;
