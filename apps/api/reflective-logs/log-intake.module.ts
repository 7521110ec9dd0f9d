import { Module } from '@nestjs/common';
import { LogIntake } from './log-intake.js';
import { Quarantine } from './quarantine.js';

/** What every log passes that comes from outside, with a job's end or by itself. */
@Module({ providers: [LogIntake, Quarantine], exports: [LogIntake, Quarantine] })
export class LogIntakeModule {}
