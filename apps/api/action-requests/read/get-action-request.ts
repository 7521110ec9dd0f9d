import { Inject } from '@nestjs/common';
import { QueryHandler } from '@nestjs/cqrs';
import { mayReadRequest } from '#domain/action-request/view.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json } from '#domain/json.js';
import { requestStream } from '#domain/stream-names.js';
import { Moments } from '../../moments/moments.js';
import { Answer } from '../../platform/http/answer.js';
import { ReadBy, type ReadContext, Unredacted } from '../../privacy/read-context.decorator.js';
import { UnredactedReads } from '../../privacy/unredacted-reads.js';
import type { ActionRequestStore } from '../../platform/stores.js';
import { ACTION_REQUEST_STORE } from '../../platform/tokens.js';
import { ShownRequests } from './shown-requests.js';
import { readersOf } from '../../platform/auth/roles.js';
import { ActionRequestViewDto } from '../action-request-view.js';
import { At } from '../../platform/http/fields.js';
import { RequestId } from '../request-fields.js';
import { Describes, ReadRequest } from '../../platform/http/request.js';

@Describes({
  summary: 'One request with its votes and its outcome',
  roles: readersOf('request'),
  answers: [200, ActionRequestViewDto],
  fails: ['NOT_FOUND'],
})
export class GetActionRequest extends ReadRequest<ActionRequestViewDto> {
  @RequestId() id!: string;
  @At() at?: string;
  @Unredacted() unredacted?: 'true';
  @ReadBy() context!: ReadContext;
}

@QueryHandler(GetActionRequest)
export class GetActionRequestHandler {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    private readonly shown: ShownRequests,
    private readonly unredacted: UnredactedReads,
    private readonly moments: Moments,
  ) {}

  async execute({ actor, id, at, unredacted, context }: GetActionRequest): Promise<Answer<Json>> {
    const stream = requestStream(id);
    const asOf = await this.moments.positionAt(at);
    const { state, version, position } =
      asOf === undefined
        ? await this.requests.load(stream)
        : await this.requests.loadAtPosition(stream, asOf);
    if (state.request === null) throw new Refusal('NOT_FOUND', { what: 'action request', id });
    permit(mayReadRequest(actor, state), `read action request ${id}`, 'I9');
    const mayOpen = await this.unredacted.allow(actor, unredacted, { stream }, context);
    const view = await this.shown.of(actor, state, { mayOpen, to: version });
    return asOf === undefined ? Answer.written(view, position) : Answer.asOf(view, asOf);
  }
}
