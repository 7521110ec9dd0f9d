import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { erasureProposalOf } from '#domain/action-request/erasure.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import { clearValueOf } from '#domain/held.js';
import { personOf } from '#domain/ownership/access.js';
import { requestStream } from '#domain/stream-names.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';
import { Answer } from '../platform/http/answer.js';
import type { ActionRequestStore } from '../platform/stores.js';
import { ACTION_REQUEST_STORE } from '../platform/tokens.js';
import { ErasureReceiptDto } from './erasure-view.js';
import { Erasure } from './erasure.js';
import { ErasureReceipts } from './erasure-receipts.js';
import { RetentionPeriod } from '../privacy/retention-period.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { RequestId } from '../action-requests/request-fields.js';

@Describes({
  summary: 'Destroy the keys of a subject, after the council approved it',
  roles: { all: ['admin'] },
  answers: [200, ErasureReceiptDto],
  fails: ['NOT_FOUND'],
})
export class ExecuteErasure extends WriteRequest<ErasureReceiptDto> {
  @RequestId() id!: string;
}

@CommandHandler(ExecuteErasure)
export class ExecuteErasureHandler implements ICommandHandler<ExecuteErasure> {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    private readonly retention: RetentionPeriod,
    private readonly keys: SubjectKeys,
    private readonly erasure: Erasure,
    private readonly receipts: ErasureReceipts,
  ) {}

  async execute({ actor, id, identity }: ExecuteErasure): Promise<Answer<ErasureReceiptDto>> {
    const stream = requestStream(id);
    const { request } = (await this.requests.load(stream)).state;
    if (request === null || request.kind !== 'erasure')
      throw new Refusal('NOT_FOUND', { what: 'erasure', id });
    const proposal = erasureProposalOf(clearValueOf(request));
    const end = await this.retention.endFor(proposal);
    permit(end === undefined, `erase data before its retention period ends at ${end}`, 'G6');
    const { sub: ordered_by, user_id } = personOf(actor);
    const order = { ordered_by, user_id, at: identity.received_at };
    await this.requests.execute(
      stream,
      async () => {
        const kids = await this.keys.announceErasure(proposal.subject, id);
        return [{ type: 'order_erasure', ...order, kids }];
      },
      identity,
    );
    const { position } = await this.erasure.execute(stream);
    return Answer.written(await this.receipts.of(id), position);
  }
}
