import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { actionRequestSchemas, type ActionRequestEvent } from '#domain/action-request/events.js';
import { isConcerned } from '#domain/action-request/persons.js';
import {
  firstHiddenIn,
  hasRedactions,
  isOwnEvent,
  isOwnVote,
} from '#domain/action-request/vote-sight.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import { personOf } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { requestStream } from '#domain/stream-names.js';
import { upcast } from '#domain/upcast.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import type { ActionRequestStore } from '../../platform/stores.js';
import { ACTION_REQUEST_STORE, EVENT_STORE } from '../../platform/tokens.js';
import { SourceEvents } from '../evidence/source-events.js';
import { Text } from '../../platform/http/fields.js';
import { OVERSIGHT, RequestId } from '../request-fields.js';
import { Describes, ReadRequest } from '../../platform/http/request.js';
import { EventReceipts } from '../../replay/event-receipts.js';
import { ReceiptDto } from '../../replay/receipt-view.js';

@Describes({
  summary: 'An event of a request, such as a vote, as a signed document',
  roles: OVERSIGHT,
  answers: [200, ReceiptDto],
  fails: ['NOT_FOUND'],
})
export class GetReceipt extends ReadRequest<ReceiptDto> {
  @RequestId() id!: string;

  /** A path has only texts. */
  @Text({ min: 1, max: 9, pattern: /^\d{1,9}$/, description: 'The number of an event, from 0.' })
  number!: string;
}

/** Returns the receipt of an event of a request to those who may see the event (SPEC I6, X4). */
@QueryHandler(GetReceipt)
export class GetReceiptHandler implements IQueryHandler<GetReceipt> {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly events: SourceEvents,
    private readonly receipts: EventReceipts,
  ) {}

  async execute({ actor, id, number: digits }: GetReceipt): Promise<ReceiptDto> {
    const number = Number(digits);
    const stream = requestStream(id);
    const event = await this.events.at(stream, number);
    if (event === undefined) throw new Refusal('NOT_FOUND', { what: 'event of the request', id });
    const { type, data } = upcast<ActionRequestEvent>(actionRequestSchemas, event);
    const isOwn = type === 'vote_cast' && isOwnVote(actor, data);
    if (!isOwn) await this.requireSight(actor, event);
    return this.receipts.ofRequest(id, event);
  }

  /**
   * Requires that neither the event nor its hash reveals what is hidden from the caller: votes, the work of reviewers and,
   * from those by and for whom the request was made, the hashes of what was removed from the words of others.
   */
  private async requireSight(actor: Actor, event: LoggedEvent): Promise<void> {
    const { stream, number } = event;
    const { state } = await this.requests.load(stream);
    const events: LoggedEvent[] = [];
    for await (const one of readRecorded(this.eventStore, stream)) events.push(one);
    const isClear = number < firstHiddenIn(actor, state, events);
    permit(
      isClear,
      'see the vote of another before its own, or what reviewers keep to themselves',
      'G2',
    );
    const { request } = state;
    const isConcern = request !== null && isConcerned(personOf(actor), request);
    const hasHashes = isConcern && hasRedactions(event) && !isOwnEvent(actor, event);
    permit(!hasHashes, 'see what was removed from the words of a reviewer', 'G2');
  }
}
