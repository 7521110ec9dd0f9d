import type { KeyList } from '../keys/keys-help';
import { REJECTIONS } from './words';

const NEIGHBOURS = [
  ['j', 'Next request'],
  ['k', 'Previous request'],
] as const;

export const QUEUE_KEYS: KeyList = {
  title: 'In the queue',
  keys: [
    ...NEIGHBOURS,
    ['Home End', 'First and last request'],
    ['Enter', 'Open the request'],
    ['Space', 'Select the request, or take it off the selection'],
    ['R', 'Reject the selected requests'],
    ['A', 'Approve the selected requests, after you have typed how many'],
    ['/', 'Search. Enter goes back to the list, Esc also clears the search'],
  ],
};

export const REQUEST_KEYS: KeyList = {
  title: 'On a request',
  keys: [
    ['a', 'Approve, and show the next one that waits. A high risk asks for your reason first'],
    ['A', 'Approve with a reason in your own words'],
    ['r', `Reject. 1 to ${REJECTIONS.length} choose the reason, and then you can type`],
    ['e', 'Propose other words'],
    ['x', 'Abstain, and show the next one that waits'],
    ['X', 'Abstain with a reason in your own words'],
    ['q', 'Ask the proposer'],
    ['Ctrl Enter', 'Send what you have typed'],
    ['Esc', 'Close the form. What you have typed is kept'],
    ['Alt ↓', 'Reasons to pick from, in an open form'],
    ['.', 'Open all that is folded, or close it'],
    ...NEIGHBOURS,
    ['u', 'Back to the queue'],
  ],
};
