import { Inject, Injectable } from '@nestjs/common';
import { type ErasureProposal, retentionEnd } from '#domain/action-request/erasure.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { SealedValueQueries } from '#projections/sealed-values/queries.js';
import { LogEnd } from '../platform/log-end.js';
import { CONFIG } from '../platform/tokens.js';

/** Before the retention period has passed, only a legal reason allows an erasure (SPEC G6). */
@Injectable()
export class RetentionPeriod {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<ServiceConfig, 'retentionDays'>,
    private readonly values: SealedValueQueries,
    private readonly logEnd: LogEnd,
  ) {}

  /** Returns when the period ends before which an erasure is refused; undefined if it is allowed now. */
  async endFor(proposal: ErasureProposal): Promise<string | undefined> {
    if (proposal.reason_code !== 'legal_erasure') await this.logEnd.reach('sealed_values');
    return this.shownEndFor(proposal);
  }

  /** The same, as far as the read model is: for a page, which need not wait for the end of the log. */
  async shownEndFor({ subject, reason_code }: ErasureProposal): Promise<string | undefined> {
    if (reason_code === 'legal_erasure') return undefined;
    const last = await this.values.lastRecordedAt(subject);
    const end = last === undefined ? undefined : retentionEnd(last, this.config.retentionDays);
    return end !== undefined && end > new Date().toISOString() ? end : undefined;
  }
}
