import { z } from 'zod';
import type { ActionRequest, ActionRequestListing, DryRun } from '#client/action-requests.js';
import { requestFields } from '../request-fields.js';
import { ADDS, factKey, json, output, READS, type Role, shown, tool } from '../tool.js';

/** The roles that may propose a fact. */
export const PROPOSERS: readonly Role[] = ['agent', 'user', 'admin'];
const READERS: readonly Role[] = ['agent', 'user', 'council', 'admin', 'auditor'];

export const REQUEST_ID = 'The id that propose_fact or list_requests returned.';

const STATUSES = [
  'pending',
  'approved',
  'executed',
  'execution_refused',
  'rejected',
  'expired',
] as const;

/** The fields that a request has in a list as well. */
export const shownFields = {
  request_id: z.string(),
  kind: z.enum(['sem_put', 'sensitive_consent', 'erasure']),
  status: z
    .enum(STATUSES)
    .describe('executed: the fact is written; execution_refused: approved, but a rule forbids it.'),
  target_sem_key: z.string().nullable(),
  value: json,
  justification: z.string(),
  episodic_id: z.string().nullable(),
  proposal_hash: z.string().describe('Names this exact value; a vote repeats it.'),
  expires_at: z.string(),
  awaits_answer: z.boolean().describe('True if the proposer must answer a question first.'),
};

/** What a model needs to know of a request. */
export const requestShown = (request: ActionRequest | ActionRequestListing) => ({
  request_id: request.request_id,
  kind: request.kind,
  status: request.status,
  target_sem_key: request.target_sem_key,
  value: request.value,
  justification: request.justification,
  episodic_id: request.episodic_id,
  proposal_hash: request.proposal_hash,
  expires_at: request.expires_at,
  awaits_answer: request.awaits_answer,
});

export const wholeRequestShown = (request: ActionRequest) => ({
  ...requestShown(request),
  quorum: request.quorum,
  votes: request.votes.map(({ voter, vote, reason, reason_code }) => ({
    voter: voter.sub,
    vote,
    reason,
    reason_code,
  })),
  discussion: request.discussion.map(({ kind, by, text }) => ({ kind, by: by.sub, text })),
  refusal_code: request.refusal_code,
});

/** The output of the tools that return one request. */
export const requestOutput = output({
  ...shownFields,
  quorum: z.int().describe('How many votes decide.'),
  votes: z.array(
    output({
      voter: z.string(),
      vote: z.enum(['approve', 'reject', 'abstain']),
      reason: z.string(),
      reason_code: z.string().nullable(),
    }),
  ),
  discussion: z.array(
    output({ kind: z.enum(['question', 'answer']), by: z.string(), text: z.string() }),
  ),
  refusal_code: z.string().nullable(),
});

/** Makes the result of a tool from the request that a call returned. */
export const requestOf = async (answer: Promise<ActionRequest>) => wholeRequestShown(await answer);

type RequestLine = Pick<
  z.output<typeof requestOutput>,
  'request_id' | 'kind' | 'status' | 'target_sem_key' | 'value' | 'proposal_hash' | 'justification'
>;
export const requestLine = ({
  request_id,
  kind,
  status,
  target_sem_key,
  value,
  proposal_hash,
  justification,
}: RequestLine): string =>
  `Request ${request_id} (${kind}) is ${status}: ${target_sem_key ?? ''} = ${shown(value)}, because ` +
  `${shown(justification)}. proposal_hash ${proposal_hash}`;

export const requestText = (request: z.output<typeof requestOutput>): string =>
  [
    requestLine(request),
    // What others wrote is quoted, so that none of it reads as a line of its own.
    ...request.votes.map(
      ({ voter, vote, reason }) => `${shown(voter)} voted ${vote}: ${shown(reason)}`,
    ),
    ...request.discussion.map(({ kind, by, text }) => `${kind} of ${shown(by)}: ${shown(text)}`),
    ...(request.refusal_code === null ? [] : [`Refused with ${request.refusal_code}.`]),
  ].join('\n');

const dryRunShown = ({ risk, would_be_refused, recheck, consent }: DryRun) => ({
  dry_run: true,
  risk: { level: risk.level, reasons: [...risk.reasons] },
  would_be_refused,
  findings: recheck.map(({ text }) => text),
  consent,
});

/** The risk of a request, of which only the reviewers and, in a dry run, the proposer know. */
export const riskOutput = output({ level: z.string(), reasons: z.array(z.string()) });

export const riskText = (risk: z.output<typeof riskOutput>): string =>
  `The risk is ${risk.level}${risk.reasons.length === 0 ? '' : ` (${risk.reasons.join(', ')})`}`;

/** The output of a proposal, or of its dry run, which has no fields of a request. */
const proposalOutput = requestOutput.partial().extend({
  dry_run: z.boolean().describe('True: nothing is proposed.'),
  risk: riskOutput.optional(),
  would_be_refused: z
    .boolean()
    .nullable()
    .optional()
    .describe('Of a dry run: whether an approval would be refused; null if that is not known.'),
  findings: z.array(z.string()).optional(),
  consent: z.string().optional(),
});

function proposalText(result: z.output<typeof proposalOutput>): string {
  const { dry_run, risk, would_be_refused, findings = [], ...request } = result;
  if (!dry_run) return `Proposed, not yet written. ${requestText(requestOutput.parse(request))}`;
  const outcome =
    would_be_refused === null
      ? 'depends on a consent that you may not know of'
      : `${would_be_refused ? 'would be refused' : 'would be carried out'} now`;
  return [
    `Nothing is proposed. ${risk === undefined ? '' : `${riskText(risk)}; `}an approval ${outcome}.`,
    ...findings,
  ].join(' ');
}

const proposeFact = tool({
  name: 'propose_fact',
  title: 'Propose a fact',
  description:
    'Proposes that a fact is stored for good. The fact is not written now: reviewers decide, and read_request tells ' +
    'how. Needs an episode as evidence; search finds one, and a job writes some at its end.',
  routes: ['POST /v1/action-requests'],
  roles: PROPOSERS,
  annotations: ADDS,
  input: () => {
    const proposal = requestFields('POST /v1/action-requests', {
      value: 'The whole value of the fact: any JSON value of at most 16 KB.',
      episodic_id: 'The episode that supports it.',
      justification: 'Why it is true and worth keeping, for the reviewers.',
      dry_run: 'True: only says what reviewers would see, and proposes nothing.',
    }).omit({
      target_sem_key: true,
      kind: true,
      consent_id: true,
      subject: true,
      reason_code: true,
    });
    return proposal.extend({
      key: factKey.describe(
        'The fact’s key, scope/entity_type/entity_id/attribute, such as world/colour/sky/name.',
      ),
      value: proposal.shape.value.unwrap(),
      episodic_id: proposal.shape.episodic_id.unwrap(),
    });
  },
  output: proposalOutput,
  call: async (client, { key, dry_run = false, ...fields }) => {
    const proposal = { target_sem_key: key, ...fields };
    return dry_run
      ? dryRunShown(await client.actionRequests.dryRun(proposal))
      : { dry_run, ...(await requestOf(client.actionRequests.propose(proposal))) };
  },
  text: proposalText,
});

const readRequest = tool({
  name: 'read_request',
  title: 'Read a request',
  description: 'Returns the status of a proposal with its votes, questions and answers.',
  routes: ['GET /v1/action-requests/{id}'],
  roles: READERS,
  annotations: READS,
  input: () => requestFields('GET /v1/action-requests/{id}', { request_id: REQUEST_ID }),
  output: requestOutput,
  call: (client, { request_id }) => requestOf(client.actionRequests.get(request_id)),
  text: requestText,
});

const answerReviewers = tool({
  name: 'answer_reviewers',
  title: 'Answer the reviewers',
  description:
    'Answers the reviewers’ questions on your own proposal (awaits_answer of read_request is true).',
  routes: ['POST /v1/action-requests/{id}/answers'],
  roles: ['agent', 'user'],
  annotations: ADDS,
  input: () =>
    requestFields('POST /v1/action-requests/{id}/answers', {
      request_id: REQUEST_ID,
      answer: 'The answer to all open questions.',
    }).pick({ request_id: true, answer: true }),
  output: requestOutput,
  call: (client, { request_id, answer }) =>
    requestOf(client.actionRequests.answer(request_id, answer)),
  text: requestText,
});

/** Tools of those who propose facts. */
export const REQUEST_TOOLS = [proposeFact, readRequest, answerReviewers];
