import { Module } from '@nestjs/common';
import { ReplayModule } from '../replay/replay.module.js';
import { NotesModule } from '../notes/notes.module.js';
import { EpisodesModule } from '../episodes/episodes.module.js';
import { AddToRequestHandler } from './propose/add-to-request.handler.js';
import { ActionRequestsController } from './action-requests.controller.js';
import { CouncilController } from './council.controller.js';
import { CitedEvidence } from './evidence/cited-evidence.js';
import { GetDossierHandler } from './read/get-dossier.handler.js';
import { GetFiguresHandler } from './read/get-figures.handler.js';
import { GetReceiptHandler } from './read/get-receipt.handler.js';
import { VoteCasting } from './vote/vote-casting.js';
import { VoteOnManyHandler } from './vote/vote-on-many.handler.js';
import { VoteReceipts } from './vote/vote-receipts.js';
import { QueueRecheck } from './recheck/queue-recheck.js';
import { RecheckRequestsHandler } from './recheck/recheck-requests.handler.js';
import { RefusedRequestsScan } from './recheck/refused-requests-scan.js';
import { RequestRecheck } from './recheck/request-recheck.js';
import { SourceEvents } from './evidence/source-events.js';
import { CastVoteHandler } from './vote/cast-vote.handler.js';
import { GetActionRequestHandler } from './read/get-action-request.handler.js';
import { ListActionRequestsHandler } from './read/list-action-requests.handler.js';
import { ProposeActionHandler } from './propose/propose-action.handler.js';
import { ProposeGovernanceHandler } from './propose/propose-governance.handler.js';
import { RequestTerms } from './propose/request-terms.js';
import { RequestGate } from './propose/request-gate.js';
import { ShownRequests } from './read/shown-requests.js';
import { RequestExecution } from './execute/request-execution.js';
import { RequestReport } from './execute/request-report.js';
import { RequestRisks } from './read/request-risks.js';

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
