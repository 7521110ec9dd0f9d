import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { AuditEvent } from '#domain/audit/events.js';
import { Refusal } from '#domain/errors/refusal.js';
import { categoryOf } from '#domain/stream-names.js';
import type { EventStore } from '#event-store/event-store.js';
import { eventOfLog } from '../moments/moments.js';
import { PositionText } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { EVENT_STORE } from '../platform/tokens.js';
import { EventReceipts } from '../replay/event-receipts.js';
import { StreamReceiptDto } from '../replay/receipt-view.js';
import { ACCESS_READERS } from './list-audit-entries.js';

const ACCESS: AuditEvent['type'] = 'admin_access_event';

@Describes({
  summary: 'The event of an unredacted read as a signed document',
  roles: ACCESS_READERS,
  answers: [200, StreamReceiptDto],
  fails: ['NOT_FOUND'],
})
export class GetAccessReceipt extends ReadRequest<StreamReceiptDto> {
  @PositionText({ description: 'The position of the read’s event.' })
  position!: string;
}

@QueryHandler(GetAccessReceipt)
export class GetAccessReceiptHandler implements IQueryHandler<GetAccessReceipt> {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly receipts: EventReceipts,
  ) {}

  async execute({ position }: GetAccessReceipt): Promise<StreamReceiptDto> {
    const event = await eventOfLog(this.eventStore, BigInt(position));
    if (event?.type !== ACCESS || categoryOf(event.stream) !== 'audit')
      throw new Refusal('NOT_FOUND', { what: 'unredacted read', id: `at position ${position}` });
    return this.receipts.of(event);
  }
}
