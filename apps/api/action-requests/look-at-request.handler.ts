import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { requestStream } from '#domain/action-request/state.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Actor } from '#domain/recorded-event.js';
import type { ActionRequestStore } from '../platform/stores.js';
import { ACTION_REQUEST_STORE } from '../platform/tokens.js';
import type { ViewersDto } from './dto/viewers.dto.js';
import { Viewers } from './viewers.js';

export class LookAtRequest extends Query<ViewersDto> {
  constructor(
    readonly actor: Actor,
    readonly id: string,
    readonly isLeaving: boolean,
  ) {
    super();
  }
}

/** Notes that a reviewer looks at a request, or no longer does. Nothing is recorded. */
@QueryHandler(LookAtRequest)
export class LookAtRequestHandler implements IQueryHandler<LookAtRequest> {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    private readonly viewers: Viewers,
  ) {}

  async execute({ actor, id, isLeaving }: LookAtRequest): Promise<ViewersDto> {
    const { state } = await this.requests.load(requestStream(id));
    if (state.request === null) throw new Refusal('NOT_FOUND', { what: 'action request', id });
    const { sub } = actor;
    return { viewers: isLeaving ? this.viewers.leave(id, sub) : this.viewers.look(id, sub) };
  }
}
