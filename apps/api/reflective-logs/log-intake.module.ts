import { Module } from '@nestjs/common';
import { LogArtifacts } from './log-artifacts.js';
import { LogIntake } from './log-intake.js';
import { Quarantine } from './quarantine.js';

/** The checks for every log from outside, whether the log comes with a job's end or alone. */
@Module({
  providers: [LogArtifacts, LogIntake, Quarantine],
  exports: [LogArtifacts, LogIntake, Quarantine],
})
export class LogIntakeModule {}
