import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { IntegrityFindingsDto, IntegrityRunsDto } from './integrity-view.js';
import { IntegrityVerification } from './integrity-verification.js';

@Describes({
  summary: 'The findings of the last verification of the event log, by any instance',
  roles: { all: ['admin', 'auditor'] },
  answers: [200, IntegrityFindingsDto],
})
export class ListFindings extends ReadRequest<IntegrityFindingsDto> {}

@QueryHandler(ListFindings)
export class ListFindingsHandler implements IQueryHandler<ListFindings> {
  constructor(private readonly verification: IntegrityVerification) {}

  async execute(): Promise<IntegrityFindingsDto> {
    const { last = null, running = null } = await this.verification.reports();
    return { last, running };
  }
}

@Describes({
  summary: 'The past verifications of the event log, by all instances',
  roles: { all: ['admin', 'auditor'] },
  answers: [200, IntegrityRunsDto],
})
export class ListRuns extends ReadRequest<IntegrityRunsDto> {}

@QueryHandler(ListRuns)
export class ListRunsHandler implements IQueryHandler<ListRuns> {
  constructor(private readonly verification: IntegrityVerification) {}

  async execute(): Promise<IntegrityRunsDto> {
    return { runs: await this.verification.past() };
  }
}
