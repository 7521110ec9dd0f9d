import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { erasureProposalOf, retentionEnd } from '#domain/action-request/erasure.js';
import { requestStream } from '#domain/action-request/state.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import { clearValueOf } from '#domain/held.js';
import type { Actor } from '#domain/recorded-event.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { SealedValueQueries } from '#projections/sealed-values/queries.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';
import { LogEnd } from '../platform/log-end.js';
import { Answer } from '../platform/http/answer.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { ActionRequestStore } from '../platform/stores.js';
import { ACTION_REQUEST_STORE, CONFIG } from '../platform/tokens.js';
import type { ErasureReceiptDto } from './dto/erasure.dto.js';
import { Erasure } from './erasure.js';
import { ErasureReceipts } from './erasure-receipts.js';

export class ExecuteErasure extends Command<Answer<ErasureReceiptDto>> {
  constructor(
    readonly actor: Actor,
    readonly requestId: string,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

/** Executes an erasure that the council approved, on the order of an admin (SPEC G6). */
@CommandHandler(ExecuteErasure)
export class ExecuteErasureHandler implements ICommandHandler<ExecuteErasure> {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    @Inject(CONFIG) private readonly config: Pick<ServiceConfig, 'retentionDays'>,
    private readonly values: SealedValueQueries,
    private readonly keys: SubjectKeys,
    private readonly logEnd: LogEnd,
    private readonly erasure: Erasure,
    private readonly receipts: ErasureReceipts,
  ) {}

  async execute({
    actor,
    requestId,
    identity,
  }: ExecuteErasure): Promise<Answer<ErasureReceiptDto>> {
    const stream = requestStream(requestId);
    const { request } = (await this.requests.load(stream)).state;
    if (request === null || request.kind !== 'erasure')
      throw new Refusal('NOT_FOUND', { what: 'erasure', id: requestId });
    const proposal = erasureProposalOf(clearValueOf(request));
    await this.requireRetention(proposal);
    const order = { ordered_by: actor.sub, at: identity.received_at };
    await this.requests.execute(
      stream,
      async () => {
        const kids = await this.keys.announceErasure(proposal.subject, requestId);
        return [{ type: 'order_erasure', ...order, kids }];
      },
      identity,
    );
    const { position } = await this.erasure.execute(stream);
    return Answer.written(await this.receipts.of(requestId), position);
  }

  /** Before the retention period has passed, only a legal reason allows an erasure. */
  private async requireRetention({
    subject,
    reason_code,
  }: ReturnType<typeof erasureProposalOf>): Promise<void> {
    if (reason_code === 'legal_erasure') return;
    await this.logEnd.reach('sealed_values');
    const last = await this.values.lastRecordedAt(subject);
    const { retentionDays } = this.config;
    const isOver =
      last === undefined || retentionEnd(last, retentionDays) <= new Date().toISOString();
    permit(isOver, `erase data before the retention period of ${retentionDays} days is over`, 'G6');
  }
}
