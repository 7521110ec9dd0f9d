import { Global, Module } from '@nestjs/common';
import { GetPositionHandler } from './get-position.js';
import { Moments } from './moments.js';
import { MomentsController } from './moments.controller.js';
import { PastRows } from './past-rows.js';

/** What the log held at a time on the wall (SPEC W5). Every read that has a past takes it. */
@Global()
@Module({
  controllers: [MomentsController],
  providers: [GetPositionHandler, Moments, PastRows],
  exports: [Moments, PastRows],
})
export class MomentsModule {}
