import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type IntegrityReport, IntegrityVerification } from './integrity-verification.js';

/** The longest time that a caller waits for the result, in ms; a long log is reported later. */
const PATIENCE_MS = 10_000;

export class VerifyEventLog extends Command<IntegrityReport> {
  constructor(readonly decisions: boolean) {
    super();
  }
}

/** Starts a verification of the event log, and returns its result or, after 10 s, its progress. */
@CommandHandler(VerifyEventLog)
export class VerifyEventLogHandler implements ICommandHandler<VerifyEventLog> {
  constructor(private readonly verification: IntegrityVerification) {}

  async execute({ decisions }: VerifyEventLog): Promise<IntegrityReport> {
    const { report, finished } = await this.verification.start({ decisions });
    let timer: NodeJS.Timeout | undefined;
    const progress = new Promise<IntegrityReport>((resolve) => {
      timer = setTimeout(() => resolve(report), PATIENCE_MS);
    });
    try {
      return await Promise.race([finished, progress]);
    } finally {
      clearTimeout(timer);
    }
  }
}
