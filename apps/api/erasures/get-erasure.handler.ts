import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { requestStream } from '#domain/action-request/state.js';
import { mayReadRequest } from '#domain/action-request/view.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Actor } from '#domain/recorded-event.js';
import type { ActionRequestStore } from '../platform/stores.js';
import { ACTION_REQUEST_STORE } from '../platform/tokens.js';
import type { ErasureReceiptDto } from './dto/erasure.dto.js';
import { ErasureReceipts } from './erasure-receipts.js';

export class GetErasure extends Query<ErasureReceiptDto> {
  constructor(
    readonly actor: Actor,
    readonly requestId: string,
  ) {
    super();
  }
}

/** Returns the receipt of an erasure to those who may read its request (SPEC G6). */
@QueryHandler(GetErasure)
export class GetErasureHandler implements IQueryHandler<GetErasure> {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    private readonly receipts: ErasureReceipts,
  ) {}

  async execute({ actor, requestId }: GetErasure): Promise<ErasureReceiptDto> {
    const { state } = await this.requests.load(requestStream(requestId));
    if (state.request === null)
      throw new Refusal('NOT_FOUND', { what: 'executed erasure', id: requestId });
    permit(mayReadRequest(actor, state), `read erasure ${requestId}`, 'I9');
    return this.receipts.of(requestId);
  }
}
