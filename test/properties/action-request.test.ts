import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import type { ActionRequestCommand } from '#domain/action-request/commands.js';
import {
  actionRequestSchemas,
  type ActionRequestEvent,
  type VoteCast,
} from '#domain/action-request/events.js';
import { proposalHash, type ProposeAction } from '#domain/action-request/proposal.js';
import { requestStream } from '#domain/stream-names.js';
import { playFor } from '#test/domain/given.js';

const STREAM = requestStream('r1');
const proposal = (quorum: number): ProposeAction => ({
  value: { a: 1 },
  request_id: 'r1',
  kind: 'sem_put',
  episodic_id: 'ep:1',
  target_sem_key: 'world/fact/sky/color',
  justification: 'Seen.',
  evidence: [],
  proposer: { sub: 'agent-1', user_id: null },
  made_for: null,
  source: 'agent:agent-1',
  requested_at: '2025-11-29T12:00:00Z',
  expires_at: '2025-11-29T12:00:09Z',
  quorum,
});
const at = fc.integer({ min: 1, max: 9 }).map((second) => `2025-11-29T12:00:0${second}Z`);
const vote: fc.Arbitrary<ActionRequestCommand> = fc
  .record({
    sub: fc.constantFrom('c1', 'c2', 'c3', 'c4', 'agent-1'),
    vote: fc.constantFrom<VoteCast['vote'][]>('approve', 'reject', 'abstain'),
    proposal_hash: fc
      .constantFrom(0, 0, 1, 2)
      .map((revision) => proposalHash(proposal(1), revision)),
    at,
  })
  .map(({ sub, ...rest }) => ({
    type: 'vote',
    voter: { sub, user_id: null },
    reason: 'Checked.',
    ...rest,
  }));
const remark = fc.constantFrom('c1', 'c2', 'agent-1').chain((sub) => {
  const by = { sub, user_id: null };
  const text = 'Because.';
  return fc
    .tuple(
      fc.constantFrom('revise', 'ask', 'answer', 'assign', 'comment', 'snooze'),
      at,
      fc.boolean(),
    )
    .map(([type, time, isLarge]): ActionRequestCommand => {
      if (type === 'ask') return { type, asked_by: by, question: text, at: time };
      if (type === 'answer') return { type, answered_by: by, answer: text, at: time };
      if (type === 'assign') return { type, assigned_to: text, assigned_by: by, at: time };
      if (type === 'comment') return { type, comment_by: by, text, at: time };
      if (type === 'snooze') return { type, until: null, snoozed_by: by, at: time };
      const compared = isLarge ? ({ large_change: true } as const) : {};
      return { type: 'revise', value: { a: 1 }, editor: by, reason: text, at: time, ...compared };
    });
});
const other: fc.Arbitrary<ActionRequestCommand> = fc.oneof(
  remark,
  at.map((time) => ({ type: 'expire' as const, at: time })),
  fc.boolean().map((superseded) => ({
    type: 'link_execution' as const,
    sem_stream: 'sem-world/fact/sky/color',
    sem_event_number: 0,
    superseded,
  })),
  fc.constant({ type: 'refuse_execution' as const, code: 'STORAGE_FULL' }),
);
const commands = fc
  .tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.array(fc.oneof({ weight: 3, arbitrary: vote }, other), { maxLength: 15 }),
  )
  .map(([quorum, rest]): ActionRequestCommand[] => [
    { type: 'request', ...proposal(quorum) },
    ...rest,
  ]);

const play = playFor(actionRequestDecider, STREAM);

test('deciding the recorded inputs of a request again gives the same events, including the outcomes', () => {
  fc.assert(
    fc.property(commands, (all) => {
      const { events } = play(all);
      const inputs = events.filter(({ type }) => actionRequestSchemas[type].kind === 'input');
      expect(
        play(inputs.map((event) => actionRequestDecider.commandOf(event))).events,
      ).toStrictEqual(events);
    }),
  );
});

test('a request is decided at most once and executed at most once, and only if approved', () => {
  fc.assert(
    fc.property(commands, (all) => {
      const types = play(all).events.map(({ type }) => type);
      const count = (...of: ActionRequestEvent['type'][]) =>
        types.filter((type) => of.includes(type)).length;
      expect(count('request_approved', 'request_rejected', 'request_expired')).toBeLessThanOrEqual(
        1,
      );
      expect(count('request_executed', 'execution_refused')).toBeLessThanOrEqual(
        count('request_approved'),
      );
    }),
  );
});

test('a member votes at most once, and the proposer never votes', () => {
  fc.assert(
    fc.property(commands, (all) => {
      const voters = play(all).state.votes.map(({ voter }) => voter.sub);
      expect(new Set(voters).size).toBe(voters.length);
      expect(voters).not.toContain('agent-1');
    }),
  );
});

test('only a majority of at least a quorum approves a request', () => {
  fc.assert(
    fc.property(commands, (all) => {
      const { votes, status, request } = play(all).state;
      const cast = (of: VoteCast['vote']) => votes.filter((one) => one.vote === of).length;
      const decided = cast('approve') + cast('reject') >= (request?.quorum ?? 0);
      const approved = ['approved', 'executed', 'execution_refused'].includes(status);
      expect(approved).toBe(decided && cast('approve') > cast('reject'));
      expect(status === 'rejected').toBe(decided && !approved);
    }),
  );
});
