import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Answer } from '../platform/http/answer.js';
import { Flag, OneOf } from '../platform/http/fields.js';
import { Describes, ServiceRequest } from '../platform/http/request.js';
import { IntegrityVerification } from './integrity-verification.js';
import { CALLERS_MEANS, IntegrityReportDto } from './integrity-view.js';
import { soon } from './soon.js';

@Describes({
  summary: 'Verify every stream of the event log: numbers, hashes, ids',
  roles: { all: ['admin', 'auditor'] },
  answers: [200, IntegrityReportDto],
  accepted: 'The verification still runs; GET /v1/integrity/findings returns its result.',
})
export class VerifyEventLog extends ServiceRequest<Answer<IntegrityReportDto>> {
  @Flag({
    optional: true,
    description: 'Also replays the decisions of every stream, which takes longer.',
  })
  decisions?: boolean;

  @OneOf(CALLERS_MEANS, { optional: true, description: 'From where the caller asks.' })
  means?: (typeof CALLERS_MEANS)[number];
}

/** Starts a verification of the event log, and returns its result or, after 10 s, its progress. */
@CommandHandler(VerifyEventLog)
export class VerifyEventLogHandler implements ICommandHandler<VerifyEventLog> {
  constructor(private readonly verification: IntegrityVerification) {}

  async execute({
    actor,
    decisions = false,
    means,
  }: VerifyEventLog): Promise<Answer<IntegrityReportDto>> {
    const { report, finished } = await this.verification.start({
      decisions,
      maker: { made_by: actor.sub, means: means ?? 'api' },
    });
    const shown = (await soon(finished)) ?? report;
    return Answer.progress(shown, shown.finished_at !== null);
  }
}
