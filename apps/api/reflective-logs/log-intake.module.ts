import { Module } from '@nestjs/common';
import { LogArtifacts } from './log-artifacts.js';
import { LogIntake } from './log-intake.js';
import { Quarantine } from './quarantine.js';

/** The checks for every log from outside, whether it comes with a job's end or by itself. */
@Module({
  providers: [LogArtifacts, LogIntake, Quarantine],
  exports: [LogArtifacts, LogIntake, Quarantine],
})
export class LogIntakeModule {}
