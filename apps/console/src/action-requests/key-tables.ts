import { FORM_KEYS, keyList, type KeyTable } from '../keys/key-table';
import { REJECTIONS } from './words';

const NEIGHBOURS = {
  next: { key: 'j', words: 'Next request', repeats: true },
  previous: { key: 'k', words: 'Previous request', repeats: true },
} as const satisfies KeyTable;

/** The keys of the list of the queue. */
export const LIST_KEYS = {
  ...NEIGHBOURS,
  first: { key: 'Home', words: 'First request' },
  last: { key: 'End', words: 'Last request' },
  open: { key: 'Enter', words: 'Open the request' },
  select: { key: ' ', words: 'Select the request, or take it off the selection' },
  search: { key: '/', words: 'Search. Enter goes back to the list, Esc also clears the search' },
} as const satisfies KeyTable;

/** The keys for the selected requests. */
export const BULK_KEYS = {
  reject: { key: 'R', words: 'Reject the selected requests' },
  approve: { key: 'A', words: 'Approve the selected requests, after you have typed how many' },
  clear: { key: 'Escape', words: 'Select nothing' },
} as const satisfies KeyTable;

/** The keys by which a reviewer decides. */
export const DECISION_KEYS = {
  approve: {
    key: 'a',
    words: 'Approve, and show the next one that waits. A high risk asks for your reason first',
  },
  approveInWords: { key: 'A', words: 'Approve with a reason in your own words' },
  reject: {
    key: 'r',
    words: `Reject. 1 to ${REJECTIONS.length} choose the reason, and then you can type`,
  },
  revise: { key: 'e', words: 'Propose other words' },
  abstain: { key: 'x', words: 'Abstain, and show the next one that waits' },
  abstainInWords: { key: 'X', words: 'Abstain with a reason in your own words' },
  ask: { key: 'q', words: 'Ask the proposer' },
} as const satisfies KeyTable;

/** The key of the reasons in a form of a decision. */
export const REASON_KEYS = {
  reasons: { key: 'Alt+ArrowDown', words: 'Reasons to pick from, in an open form' },
} as const satisfies KeyTable;

/** The keys that lead from a request, and through it. */
export const WAY_KEYS = {
  folded: { key: '.', words: 'Open all that is folded, or close it' },
  ...NEIGHBOURS,
  queue: { key: 'u', words: 'Back to the queue' },
} as const satisfies KeyTable;

/** The keys of the votes that can still be undone, on every page. */
export const VOTE_KEYS = {
  undo: { key: 'z', words: 'Undo the last vote, within 5 seconds' },
} as const satisfies KeyTable;

export const QUEUE_KEYS = keyList('In the queue', LIST_KEYS, BULK_KEYS);

/** The keys of a request of the past, on which nobody decides. */
export const PAST_REQUEST_KEYS = keyList('On a request', WAY_KEYS);

export const REQUEST_KEYS = keyList(
  'On a request',
  ...[DECISION_KEYS, FORM_KEYS, REASON_KEYS, WAY_KEYS],
);
