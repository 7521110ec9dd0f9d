import { Module } from '@nestjs/common';
import { ActionRequestsProjection } from './action-requests.projection.js';
import { ActionRequestQueries } from './queries.js';

@Module({
  providers: [ActionRequestsProjection, ActionRequestQueries],
  exports: [ActionRequestQueries],
})
export class ActionRequestsReadModelModule {}
