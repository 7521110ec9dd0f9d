import { z } from 'zod';
import { requestFields } from '../request-fields.js';
import { ADDS, lines, output, READS, type Role, tool } from '../tool.js';
import {
  REQUEST_ID,
  requestLine,
  requestOf,
  requestOutput,
  requestShown,
  requestText,
  shownFields,
} from './action-requests.js';

const COUNCIL: readonly Role[] = ['council'];
const REASON = 'Why, for the record; at most 4,000 characters.';

const listRequests = tool({
  name: 'list_requests',
  title: 'List requests',
  description:
    'Lists the requests that wait for the council’s decision. Read one with read_request before you vote.',
  routes: ['GET /v1/action-requests'],
  roles: COUNCIL,
  isReview: true,
  annotations: READS,
  input: () =>
    requestFields('GET /v1/action-requests', {
      status: ['What was decided; pending: nothing yet.', 'pending'],
      limit: ['How many to return.', 20],
      cursor: 'next_cursor of the page before.',
    }),
  output: output({
    requests: z.array(output(shownFields)),
    next_cursor: z.string().nullable().describe('Null on the last page.'),
  }),
  call: async (client, asked) => {
    const page = await client.actionRequests.list(asked);
    return { requests: page.action_requests.map(requestShown), next_cursor: page.next_cursor };
  },
  text: ({ requests, next_cursor }) =>
    lines(
      [
        ...requests.map(requestLine),
        ...(next_cursor === null ? [] : [`More: cursor ${next_cursor}`]),
      ],
      'There is no such request.',
    ),
});

const vote = tool({
  name: 'vote',
  title: 'Vote on a request',
  description:
    'Casts the council member’s vote, once for each value. The vote names the value by its proposal_hash; if the ' +
    'value has changed since, the vote is refused.',
  routes: ['POST /v1/action-requests/{id}/votes'],
  roles: COUNCIL,
  isReview: true,
  annotations: { ...ADDS, destructiveHint: true },
  input: () =>
    requestFields('POST /v1/action-requests/{id}/votes', {
      request_id: REQUEST_ID,
      reason: REASON,
      proposal_hash: 'proposal_hash of the request that you have read.',
      reason_code: 'Only with reject.',
    }),
  output: requestOutput,
  call: (client, { request_id, ...cast }) =>
    requestOf(client.actionRequests.vote(request_id, cast)),
  text: requestText,
});

const reviseRequest = tool({
  name: 'revise_request',
  title: 'Revise a request',
  description:
    'Replaces the proposed value by another one, as a reviewer. Earlier votes no longer count, and you may not vote ' +
    'on your own revision.',
  routes: ['POST /v1/action-requests/{id}/revisions'],
  roles: COUNCIL,
  isReview: true,
  annotations: ADDS,
  input: () =>
    requestFields('POST /v1/action-requests/{id}/revisions', {
      request_id: REQUEST_ID,
      value: 'The whole new value.',
      reason: REASON,
    }),
  output: requestOutput,
  call: (client, { request_id, ...revision }) =>
    requestOf(client.actionRequests.revise(request_id, revision)),
  text: requestText,
});

const askProposer = tool({
  name: 'ask_proposer',
  title: 'Ask the proposer',
  description:
    'Asks the proposer of a request a question, as a reviewer. read_request shows the answer.',
  routes: ['POST /v1/action-requests/{id}/questions'],
  roles: COUNCIL,
  isReview: true,
  annotations: ADDS,
  input: () =>
    requestFields('POST /v1/action-requests/{id}/questions', { request_id: REQUEST_ID }).pick({
      request_id: true,
      question: true,
    }),
  output: requestOutput,
  call: (client, { request_id, question }) =>
    requestOf(client.actionRequests.ask(request_id, question)),
  text: requestText,
});

/** Tools of reviewers, which only a council identity sees. */
export const REVIEW_TOOLS = [listRequests, vote, reviseRequest, askProposer];
