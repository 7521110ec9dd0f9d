import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ActionRequestCommand } from '#domain/action-request/decide.js';
import type { ActionRequested, Person } from '#domain/action-request/events.js';
import type { ActionRequestState } from '#domain/action-request/state.js';
import { idOfRequestStream, requestStream } from '#domain/action-request/state.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json } from '#domain/json.js';
import { ownUserId } from '#domain/ownership/access.js';
import { requireClear } from '#domain/privacy/require-clear.js';
import { scanFact } from '#domain/privacy/scan-fact.js';
import { scanText } from '#domain/privacy/scan-text.js';
import type { Actor } from '#domain/recorded-event.js';
import type { Loaded } from '#event-store/aggregate-store.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { ActionRequestStore } from '../platform/stores.js';
import { ACTION_REQUEST_STORE } from '../platform/tokens.js';
import { RequestReport } from './request-report.js';

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
    const by = { sub: actor.sub, user_id: ownUserId(actor) ?? null };
    const command = commandOf(clear(addition, request), by, identity.received_at);
    const { version } = await this.requests.execute(stream, [command], identity);
    // If the report fails, the addition stays valid, and the obligation worker lists it later.
    await this.report.write(stream).catch(() => undefined);
    // A retry gets the request as it was after this addition.
    return this.requests.loadAt(stream, version);
  }
}

/** Returns the addition after the privacy gate (SPEC P3). @throws Refusal PRIVACY_BLOCKED. */
function clear(addition: RequestAddition, { target_sem_key }: ActionRequested): RequestAddition {
  if (addition.type === 'revise') requireClear(scanFact(target_sem_key, addition));
  requireClear(scanText(textOf(addition)));
  return addition;
}

function textOf(addition: RequestAddition): string {
  switch (addition.type) {
    case 'revise':
      return addition.reason;
    case 'ask':
      return addition.question;
    case 'answer':
      return addition.answer;
  }
}

function commandOf(addition: RequestAddition, by: Person, at: string): ActionRequestCommand {
  switch (addition.type) {
    case 'revise': {
      const { type, value, reason } = addition;
      return { type, value, reason, editor: by, at };
    }
    case 'ask':
      return { ...addition, asked_by: by, at };
    case 'answer':
      return { ...addition, answered_by: by, at };
  }
}
