import { Inject, Injectable } from '@nestjs/common';
import type { ActionRequestCommand } from '#domain/action-request/commands.js';
import { isAssignable } from '#domain/action-request/assignee.js';
import type { ActionRequested, Person } from '#domain/action-request/events.js';
import { requireRemark } from '#domain/action-request/shares.js';
import type { ActionRequestState } from '#domain/action-request/state.js';
import type { ErrorCode } from '#domain/errors/error-table.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json } from '#domain/json.js';
import { subjectOfRequest } from '#domain/action-request/subject.js';
import { personOf } from '#domain/ownership/access.js';
import { idOfRequestStream, requestStream } from '#domain/stream-names.js';
import type { ActionRequestStore } from '../../platform/stores.js';
import { ACTION_REQUEST_STORE } from '../../platform/tokens.js';
import { Answer } from '../../platform/http/answer.js';
import { AnyJson, Instant, Text } from '../../platform/http/fields.js';
import { Describes, WriteRequest } from '../../platform/http/request.js';
import { PrivacyGate } from '../../privacy/privacy-gate.js';
import { ActionRequestViewDto } from '../action-request-view.js';
import { ShownRequests } from '../read/shown-requests.js';
import { RequestId, REVIEWERS, Words } from '../request-fields.js';
import { RequestGate } from './request-gate.js';
import { RequestReport } from '../execute/request-report.js';

/** Describes what a reviewer adds. */
const OfReviewers = (
  summary: string,
  fails: readonly ErrorCode[] = ['NOT_FOUND', 'PRIVACY_BLOCKED'],
) => Describes({ summary, roles: REVIEWERS, answers: [201, ActionRequestViewDto], fails });

/** An addition to a pending request (SPEC G8). */
abstract class Addition extends WriteRequest<ActionRequestViewDto> {
  @RequestId() id!: string;
}

@OfReviewers('Propose another value; earlier votes no longer count, the editor may not vote')
export class Revise extends Addition {
  readonly type = 'revise';

  @AnyJson({ description: 'Replaces the proposed value; at most 16 KB canonical.' })
  value!: Json;

  @Words() reason!: string;
}

@OfReviewers('Ask the proposer a question')
export class Ask extends Addition {
  readonly type = 'ask';

  @Words() question!: string;
}

@Describes({
  summary: 'The proposer’s answer to the reviewers’ questions',
  roles: { own: ['agent', 'user'], of: 'request' },
  answers: [201, ActionRequestViewDto],
  fails: ['NOT_FOUND', 'PRIVACY_BLOCKED'],
})
export class AnswerQuestion extends Addition {
  readonly type = 'answer';

  @Words() answer!: string;
}

@OfReviewers('Assign a request to a reviewer, or to nobody')
export class Assign extends Addition {
  readonly type = 'assign';

  @Text({
    nullable: true,
    min: 1,
    max: 256,
    description:
      'The sub of a reviewer. That of another than the caller has no markup, no hidden characters and no look-alike letters.',
  })
  to!: string | null;
}

@OfReviewers('A comment for the other reviewers, which the proposer does not see')
export class AddComment extends Addition {
  readonly type = 'comment';

  @Words() text!: string;
}

@OfReviewers('Put a request off, for the caller’s own queue', ['NOT_FOUND'])
export class Snooze extends Addition {
  readonly type = 'snooze';

  @Instant({ nullable: true, description: 'Null puts it back at once.' })
  until!: string | null;
}

/** The requests that add to another one. */
export const ADDITIONS = [Revise, Ask, AnswerQuestion, Assign, AddComment, Snooze] as const;
type RequestAddition = InstanceType<(typeof ADDITIONS)[number]>;

/** Records what a reviewer adds, or the proposer's answer (SPEC G8). */
@Injectable()
export class AddToRequestHandler {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    private readonly report: RequestReport,
    private readonly gate: RequestGate,
    private readonly privacy: PrivacyGate,
    private readonly shown: ShownRequests,
  ) {}

  async execute(addition: RequestAddition): Promise<Answer<Json>> {
    const { actor, id, identity } = addition;
    const stream = requestStream(id);
    const { request } = (await this.requests.load(stream)).state;
    if (request === null)
      throw new Refusal('NOT_FOUND', { what: 'action request', id: idOfRequestStream(stream) });
    const by = personOf(actor);
    const command = await this.commandOf(addition, request, { by, at: identity.received_at });
    const commands = (state: ActionRequestState): readonly ActionRequestCommand[] => {
      requireOwnShare(addition, state);
      return [command];
    };
    const { version } = await this.requests.execute(stream, commands, identity);
    // If the report fails, the addition stays valid, and the obligation worker lists it later.
    await this.report.write(stream).catch(() => undefined);
    // A retry gets the request as it was after this addition.
    const { state, position } = await this.requests.loadAt(stream, version);
    return Answer.written(await this.shown.of(actor, state), position);
  }

  /** Returns the command of an addition, without personal data in clear (SPEC P3). */
  private async commandOf(
    addition: RequestAddition,
    request: ActionRequested,
    { by, at }: { readonly by: Person; readonly at: string },
  ): Promise<ActionRequestCommand> {
    const { type } = addition;
    switch (type) {
      case 'revise': {
        const key = request.target_sem_key;
        if (key === null)
          throw new Refusal('INVALID_INPUT', { reason: 'only a proposed fact can be revised' });
        const target = { key, subject: subjectOfRequest(request) };
        return { type, ...(await this.gate.revision(addition, target)), editor: by, at };
      }
      case 'ask':
        return { type, ...(await this.gate.text(addition.question, 'question')), asked_by: by, at };
      case 'answer':
        return { type, ...(await this.gate.text(addition.answer, 'answer')), answered_by: by, at };
      case 'assign': {
        const { actor, to } = addition;
        // A sub stands in every event of its caller, so only that of another is checked.
        if (to !== null && to !== actor.sub) {
          if (!isAssignable(to))
            throw new Refusal('INVALID_INPUT', {
              reason: 'to: has characters that the id of a reviewer does not have',
            });
          await this.privacy.requireClearIds({ to });
        }
        return { type, assigned_to: to, assigned_by: by, at };
      }
      case 'comment':
        return { type, ...(await this.gate.text(addition.text, 'text')), comment_by: by, at };
      case 'snooze':
        return { type, until: addition.until, snoozed_by: by, at };
    }
  }
}

/** @throws Refusal INVALID_INPUT if the member has assigned it, or put it off, too often (SPEC G8) */
function requireOwnShare({ type, actor }: RequestAddition, state: ActionRequestState): void {
  const { assigners = [], snoozers = [] } = state;
  if (type === 'assign') requireRemark(personOf(actor), assigners, 'assignments');
  if (type === 'snooze') requireRemark(personOf(actor), snoozers, 'snoozes');
}
