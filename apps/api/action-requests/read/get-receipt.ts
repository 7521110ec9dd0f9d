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
import { CHAIN_START } from '#domain/determinism/hash-chain.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { JsonObject } from '#domain/json.js';
import { personOf } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { EVENT_RECEIPT } from '#domain/replay/receipt.js';
import { requestStream } from '#domain/stream-names.js';
import { upcast } from '#domain/upcast.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { BundleSigner } from '#platform/signing/bundle-signature.js';
import type { ActionRequestStore } from '../../platform/stores.js';
import { ACTION_REQUEST_STORE, EVENT_STORE } from '../../platform/tokens.js';
import { SourceEvents } from '../evidence/source-events.js';
import { Text } from '../../platform/http/fields.js';
import { OVERSIGHT, RequestId } from '../request-fields.js';
import { Describes, ReadRequest } from '../../platform/http/request.js';
import { ApiSchema } from '@nestjs/swagger';
import {
  ApiField,
  JSON_OBJECT,
  one,
  oneOf,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';

@ApiSchema({ description: 'An event as the log stores it.' })
export class ReceiptEventDto {
  @ApiField(TEXT) readonly stream!: string;
  @ApiField(WHOLE) readonly number!: number;
  @ApiField(TEXT) readonly position!: string;
  @ApiField(TEXT) readonly type!: string;
  @ApiField(JSON_OBJECT) readonly data!: JsonObject;

  @ApiField(JSON_OBJECT, { description: 'With `hash` and `recorded_at`.' })
  readonly metadata!: JsonObject;
}

/** An event of a request, signed so that it can be checked without the service. */
export class ReceiptDto {
  @ApiField(oneOf('mace-receipt-1')) readonly document!: 'mace-receipt-1';
  @ApiField(TEXT) readonly request_id!: string;

  @ApiField(TEXT, { description: 'The hash of the event before it; 64 zeros for the first one.' })
  readonly prev!: string;

  @ApiField(one(ReceiptEventDto)) readonly event!: ReceiptEventDto;

  @ApiField(TEXT, { description: 'The id of the key in /.well-known/jwks.json.' })
  readonly key_id!: string;

  @ApiField(TEXT) readonly public_key!: string;

  @ApiField(TEXT, {
    description:
      'Ed25519 over the canonical JSON (RFC 8785) of all other fields, as 128 hex digits.',
  })
  readonly signature!: string;
}

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

/**
 * Returns an event of a request as a signed document. Its hash can be computed again from the document alone, so
 * it proves offline that the service recorded this event at this place (SPEC I6, X4).
 */
@QueryHandler(GetReceipt)
export class GetReceiptHandler implements IQueryHandler<GetReceipt> {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly events: SourceEvents,
    private readonly signer: BundleSigner,
  ) {}

  async execute({ actor, id, number: digits }: GetReceipt): Promise<ReceiptDto> {
    const number = Number(digits);
    const stream = requestStream(id);
    const [event, before] = await Promise.all([
      this.events.at(stream, number),
      number === 0 ? undefined : this.events.at(stream, number - 1),
    ]);
    if (event === undefined) throw new Refusal('NOT_FOUND', { what: 'event of the request', id });
    const { type, data } = upcast<ActionRequestEvent>(actionRequestSchemas, event);
    const isOwn = type === 'vote_cast' && isOwnVote(actor, data);
    if (!isOwn) await this.requireSight(actor, event);
    const { metadata, position } = event;
    return this.signer.signDocument({
      document: EVENT_RECEIPT,
      request_id: id,
      prev: before?.metadata.hash ?? CHAIN_START,
      event: {
        ...{ stream, number, type: event.type, data: event.data, metadata: metadata as JsonObject },
        position: position.toString(),
      },
    });
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
