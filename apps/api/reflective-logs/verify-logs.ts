import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Describes } from '../platform/http/request.js';
import { LogVerification } from './log-verification.js';
import { LogVerificationDto } from './log-view.js';

@Describes({
  summary: 'Check every row against its signature and the log',
  roles: { all: ['admin', 'auditor'] },
  answers: [200, LogVerificationDto],
})
export class VerifyLogs extends Command<LogVerificationDto> {}

/** Checks every row against its signature and the event log, and restores rows that differ (SPEC L5). */
@CommandHandler(VerifyLogs)
export class VerifyLogsHandler implements ICommandHandler<VerifyLogs> {
  constructor(private readonly verification: LogVerification) {}

  execute(): Promise<LogVerificationDto> {
    return this.verification.run();
  }
}
