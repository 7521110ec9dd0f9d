import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { LogVerification, type VerificationReport } from './log-verification.js';

export class VerifyLogs extends Command<VerificationReport> {}

/** Checks every row against its signature and the event log, and restores rows that differ (SPEC L5). */
@CommandHandler(VerifyLogs)
export class VerifyLogsHandler implements ICommandHandler<VerifyLogs> {
  constructor(private readonly verification: LogVerification) {}

  execute(): Promise<VerificationReport> {
    return this.verification.run();
  }
}
