import { Module } from '@nestjs/common';
import { ReplayModule } from '../replay/replay.module.js';
import { SemModule } from '../sem/sem.module.js';
import { NotesModule } from '../notes/notes.module.js';
import { EpisodesModule } from '../episodes/episodes.module.js';
import { ADDITIONS, AddToRequestHandler } from './propose/add-to-request.js';
import { ActionRequestsController, CouncilController } from './action-requests.controller.js';
import { CitedEvidence } from './evidence/cited-evidence.js';
import { ClearSpanHandler } from './clear/clear-span.js';
import { ClearedValues } from './clear/cleared-values.js';
import { Dossier } from './dossier/dossier.js';
import { GetDossierHandler } from './dossier/get-dossier.js';
import { GetFiguresHandler } from './read/get-figures.js';
import { GetReceiptHandler } from './read/get-receipt.js';
import { VoteCasting } from './vote/vote-casting.js';
import { ApproveMany, RejectMany, VoteOnManyHandler } from './vote/vote-on-many.js';
import { QueueRecheck } from './recheck/queue-recheck.js';
import { RecheckRequestsHandler } from './recheck/recheck-requests.js';
import { RefusedRequestsScan } from './recheck/refused-requests-scan.js';
import { RequestRecheck } from './recheck/request-recheck.js';
import { EvidenceLookup } from './evidence/evidence-lookup.js';
import { SourceEvents } from './evidence/source-events.js';
import { CastVoteHandler } from './vote/cast-vote.js';
import { GetActionRequestHandler } from './read/get-action-request.js';
import { ListActionRequestsHandler } from './read/list-action-requests.js';
import { FactProposals } from './propose/fact-proposals.js';
import { GovernanceProposals } from './propose/governance-proposals.js';
import { ProposalDryRun } from './propose/proposal-dry-run.js';
import { ProposeHandler } from './propose/propose.handler.js';
import { handlersOf } from '../platform/handlers-of.js';
import { RequestTerms } from './propose/request-terms.js';
import { RequestGate } from './propose/request-gate.js';
import { ShownRequests } from './read/shown-requests.js';
import { RequestExecution } from './execute/request-execution.js';
import { RequestReport } from './execute/request-report.js';
import { RiskOfVote } from './vote/risk-of-vote.js';

@Module({
  imports: [ReplayModule, EpisodesModule, NotesModule, SemModule],
  controllers: [CouncilController, ActionRequestsController],
  providers: [
    ProposeHandler,
    FactProposals,
    GovernanceProposals,
    ProposalDryRun,
    RequestTerms,
    CastVoteHandler,
    ClearSpanHandler,
    ClearedValues,
    ...handlersOf(AddToRequestHandler, ...ADDITIONS),
    ListActionRequestsHandler,
    GetActionRequestHandler,
    RequestExecution,
    RequestReport,
    RequestGate,
    GetDossierHandler,
    ...Dossier.providers,
    GetFiguresHandler,
    GetReceiptHandler,
    VoteCasting,
    ...handlersOf<RejectMany | ApproveMany>(VoteOnManyHandler, RejectMany, ApproveMany),
    CitedEvidence,
    EvidenceLookup,
    RequestRecheck,
    QueueRecheck,
    RecheckRequestsHandler,
    RefusedRequestsScan,
    SourceEvents,
    RiskOfVote,
    ShownRequests,
  ],
  exports: [RequestExecution, RequestReport],
})
export class ActionRequestsModule {}
