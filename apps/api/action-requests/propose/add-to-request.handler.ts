import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ActionRequestCommand } from '#domain/action-request/decide.js';
import type { ActionRequested, Person } from '#domain/action-request/events.js';
import type { ActionRequestState } from '#domain/action-request/state.js';
import { idOfRequestStream, requestStream } from '#domain/action-request/state.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json } from '#domain/json.js';
import { subjectOfRequest } from '#domain/action-request/subject.js';
import { personOf } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import type { Loaded } from '#event-store/aggregate-store.js';
import type { RequestIdentity } from '../../platform/http/identity.decorator.js';
import type { ActionRequestStore } from '../../platform/stores.js';
import { ACTION_REQUEST_STORE } from '../../platform/tokens.js';
import { RequestGate } from './request-gate.js';
import { RequestReport } from '../execute/request-report.js';

/** An addition to a pending request (SPEC G8). */
export type RequestAddition =
  | { readonly type: 'revise'; readonly value: Json; readonly reason: string }
  | { readonly type: 'ask'; readonly question: string }
  | { readonly type: 'answer'; readonly answer: string };

export class AddToRequest extends Command<Loaded<ActionRequestState>> {
  constructor(
    readonly actor: Actor,
    readonly requestId: string,
    readonly addition: RequestAddition,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

/** Records a reviewer's revision or question, or the proposer's answer (SPEC G8). */
@CommandHandler(AddToRequest)
export class AddToRequestHandler implements ICommandHandler<AddToRequest> {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    private readonly report: RequestReport,
    private readonly gate: RequestGate,
  ) {}

  async execute({
    actor,
    requestId,
    addition,
    identity,
  }: AddToRequest): Promise<Loaded<ActionRequestState>> {
    const stream = requestStream(requestId);
    const { request } = (await this.requests.load(stream)).state;
    if (request === null)
      throw new Refusal('NOT_FOUND', { what: 'action request', id: idOfRequestStream(stream) });
    const by = personOf(actor);
    const command = await this.commandOf(addition, request, { by, at: identity.received_at });
    const { version } = await this.requests.execute(stream, [command], identity);
    // If the report fails, the addition stays valid, and the obligation worker lists it later.
    await this.report.write(stream).catch(() => undefined);
    // A retry gets the request as it was after this addition.
    return this.requests.loadAt(stream, version);
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
    }
  }
}
