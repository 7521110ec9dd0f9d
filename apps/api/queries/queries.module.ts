import { Global, Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { AGENTS } from '../platform/tokens.js';
import { AgentCall } from './agent-call.js';
import { AskQueryHandler } from './ask-query.js';
import { configuredParticipants } from './configured-participants.js';
import { Confirmable } from './confirmable.js';
import { ConfirmationStep } from './confirmation-step.js';
import { CouncilCall } from './council-call.js';
import { ListReviewsHandler } from './list-reviews.js';
import { OutputGate } from './output-gate.js';
import { QueriesController, RouteController, ReviewsController } from './queries.controller.js';
import { QueryAnswer } from './query-answer.js';
import { QueryDriver } from './query-driver.js';
import { QueryFailures } from './query-failures.js';
import { QuerySteps } from './query-steps.js';
import { RouteQueryHandler } from './route-query.js';
import { RouterMisses } from './router-misses.js';
import { RouterToggles } from './router-toggles.js';

@Global()
@Module({
  imports: [JobsModule],
  controllers: [RouteController, QueriesController, ReviewsController],
  providers: [
    configuredParticipants,
    RouteQueryHandler,
    RouterMisses,
    RouterToggles,
    AskQueryHandler,
    ListReviewsHandler,
    Confirmable,
    OutputGate,
    QueryFailures,
    AgentCall,
    CouncilCall,
    ConfirmationStep,
    QuerySteps,
    QueryDriver,
    QueryAnswer,
  ],
  exports: [AGENTS, QueryDriver],
})
export class QueriesModule {}
