import { Module } from '@nestjs/common';
import { handlersOf } from '../platform/handlers-of.js';
import { AddToLogHandler } from './add-to-log.js';
import { ChangeLogHandler } from './change-log.js';
import { ListLogsHandler } from './list-logs.js';
import { ListQuarantineHandler } from './list-quarantine.js';
import { LogAccess } from './log-access.js';
import { ADDITIONS } from './log-additions.js';
import { LogHealing } from './log-healing.js';
import { LogIntakeModule } from './log-intake.module.js';
import { LogVerification } from './log-verification.js';
import { LogVerificationWorker } from './log-verification-worker.js';
import { PostLogHandler } from './post-log.js';
import { QuarantineController, ReflectiveLogsController } from './reflective-logs.controller.js';
import { ReadLogHandler } from './read-log.js';
import { VerifyLogsHandler } from './verify-logs.js';

@Module({
  imports: [LogIntakeModule],
  controllers: [ReflectiveLogsController, QuarantineController],
  providers: [
    LogAccess,
    PostLogHandler,
    ...handlersOf(AddToLogHandler, ...ADDITIONS),
    ReadLogHandler,
    ListLogsHandler,
    ListQuarantineHandler,
    ChangeLogHandler,
    VerifyLogsHandler,
    LogHealing,
    LogVerification,
    LogVerificationWorker,
  ],
})
export class ReflectiveLogsModule {}
