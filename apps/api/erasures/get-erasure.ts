import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { mayReadRequest } from '#domain/action-request/view.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import { requestStream } from '#domain/stream-names.js';
import type { ActionRequestStore } from '../platform/stores.js';
import { ACTION_REQUEST_STORE } from '../platform/tokens.js';
import { ErasureReceiptDto } from './erasure-view.js';
import { ErasureReceipts } from './erasure-receipts.js';
import { readersOf } from '../platform/auth/roles.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { RequestId } from '../action-requests/request-fields.js';

@Describes({
  summary: 'The signed receipt of an executed erasure',
  roles: readersOf('request'),
  answers: [200, ErasureReceiptDto],
  fails: ['NOT_FOUND'],
})
export class GetErasure extends ReadRequest<ErasureReceiptDto> {
  @RequestId() id!: string;
}

@QueryHandler(GetErasure)
export class GetErasureHandler implements IQueryHandler<GetErasure> {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    private readonly receipts: ErasureReceipts,
  ) {}

  async execute({ actor, id }: GetErasure): Promise<ErasureReceiptDto> {
    const { state } = await this.requests.load(requestStream(id));
    if (state.request === null) throw new Refusal('NOT_FOUND', { what: 'executed erasure', id });
    permit(mayReadRequest(actor, state), `read erasure ${id}`, 'I9');
    return this.receipts.of(id);
  }
}
