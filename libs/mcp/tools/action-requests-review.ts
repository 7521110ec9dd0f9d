import { z } from 'zod';
import type { ActionRequest } from '#client/action-requests.js';
import { ADDS, anyJson, input, lines, output, READS, type Role, tool } from '../tool.js';
import {
  requestFields,
  requestLine,
  requestId,
  requestOf,
  requestOutput,
  requestShown,
  requestText,
} from './action-requests.js';

const COUNCIL: readonly Role[] = ['council'];
const reason = z.string().describe('Why, for the record; at most 4,000 characters.');

const listRequests = tool({
  name: 'list_requests',
  title: 'List requests',
  description:
    'Lists the requests that wait for the council’s decision. Read one with read_request before you vote.',
  routes: ['GET /v1/action-requests'],
  roles: COUNCIL,
  isReview: true,
  annotations: READS,
  input: input({
    status: z
      .enum(['pending', 'approved', 'executed', 'execution_refused', 'rejected', 'expired'])
      .default('pending'),
    limit: z.int().default(20).describe('How many to return.'),
    cursor: z.string().optional().describe('next_cursor of the page before.'),
  }),
  output: output({
    requests: z.array(output(requestFields)),
    next_cursor: z.string().nullable().describe('Null on the last page.'),
  }),
  call: async (client, { status, limit, cursor }) => {
    const page = await client.actionRequests.list({
      status,
      limit,
      ...(cursor !== undefined && { cursor }),
    });
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
  input: input({
    request_id: requestId,
    vote: z.enum(['approve', 'reject', 'abstain']),
    reason,
    proposal_hash: z.string().describe('proposal_hash of the request that you have read.'),
    reason_code: z
      .enum(['untrue', 'unsupported', 'personal', 'duplicate', 'unclear', 'other'])
      .optional()
      .describe('Only with reject.'),
  }),
  output: requestOutput,
  call: (client, { request_id, reason_code, ...cast }) =>
    requestOf(
      client.actionRequests.vote(request_id, {
        ...cast,
        ...(reason_code !== undefined && { reason_code }),
      }),
    ),
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
  input: input({ request_id: requestId, value: anyJson.describe('The whole new value.'), reason }),
  output: requestOutput,
  call: (client, { request_id, value, reason: why }) =>
    requestOf(
      client.actionRequests.revise(request_id, {
        value: value as ActionRequest['value'],
        reason: why,
      }),
    ),
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
  input: input({ request_id: requestId, question: z.string() }),
  output: requestOutput,
  call: (client, { request_id, question }) =>
    requestOf(client.actionRequests.ask(request_id, question)),
  text: requestText,
});

/** Tools of reviewers, which only a council identity sees. */
export const REVIEW_TOOLS = [listRequests, vote, reviseRequest, askProposer];
