import { Global, Module } from '@nestjs/common';
import { Moments } from './moments.js';
import { PastRows } from './past-rows.js';

/** Turns a time into a position of the log, and shows rows as they were at it (SPEC W5). */
@Global()
@Module({ providers: [Moments, PastRows], exports: [Moments, PastRows] })
export class MomentsModule {}
