import { Module } from '@nestjs/common';
import { ReplayModule } from '../replay/replay.module.js';
import { NotesModule } from '../notes/notes.module.js';
import { EpisodesModule } from '../episodes/episodes.module.js';
import { AddToRequestHandler } from './add-to-request.handler.js';
import { ActionRequestsController } from './action-requests.controller.js';
import { CouncilController } from './council.controller.js';
import { CitedEvidence } from './cited-evidence.js';
import { GetDossierHandler } from './get-dossier.handler.js';
import { GetFiguresHandler } from './get-figures.handler.js';
import { GetReceiptHandler } from './get-receipt.handler.js';
import { VoteCasting } from './vote-casting.js';
import { VoteOnManyHandler } from './vote-on-many.handler.js';
import { VoteReceipts } from './vote-receipts.js';
import { QueueRecheck } from './queue-recheck.js';
import { RecheckRequestsHandler } from './recheck-requests.handler.js';
import { RefusedRequestsScan } from './refused-requests-scan.js';
import { RequestRecheck } from './request-recheck.js';
import { SourceEvents } from './source-events.js';
import { CastVoteHandler } from './cast-vote.handler.js';
import { GetActionRequestHandler } from './get-action-request.handler.js';
import { ListActionRequestsHandler } from './list-action-requests.handler.js';
import { ProposeActionHandler } from './propose-action.handler.js';
import { ProposeGovernanceHandler } from './propose-governance.handler.js';
import { RequestTerms } from './request-terms.js';
import { RequestGate } from './request-gate.js';
import { ShownRequests } from './shown-requests.js';
import { RequestExecution } from './request-execution.js';
import { RequestReport } from './request-report.js';
import { RequestRisks } from './request-risks.js';

@Module({
  imports: [ReplayModule, EpisodesModule, NotesModule],
  controllers: [CouncilController, ActionRequestsController],
  providers: [
    ProposeActionHandler,
    ProposeGovernanceHandler,
    RequestTerms,
    CastVoteHandler,
    AddToRequestHandler,
    ListActionRequestsHandler,
    GetActionRequestHandler,
    RequestExecution,
    RequestReport,
    RequestGate,
    GetDossierHandler,
    GetFiguresHandler,
    GetReceiptHandler,
    VoteCasting,
    VoteOnManyHandler,
    VoteReceipts,
    CitedEvidence,
    RequestRecheck,
    QueueRecheck,
    RecheckRequestsHandler,
    RefusedRequestsScan,
    SourceEvents,
    RequestRisks,
    ShownRequests,
  ],
  exports: [RequestExecution, RequestReport, RequestRisks],
})
export class ActionRequestsModule {}
