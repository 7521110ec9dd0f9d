import { Global, Module } from '@nestjs/common';
import { Moments } from './moments.js';
import { PastRows } from './past-rows.js';

/** What the log held at a time on the wall (SPEC W5). Every read that has a past takes it. */
@Global()
@Module({ providers: [Moments, PastRows], exports: [Moments, PastRows] })
export class MomentsModule {}
