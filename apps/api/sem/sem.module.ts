import { Module } from '@nestjs/common';
import { ClaimKeyHandler } from './claim-key.js';
import { DeleteFactHandler } from './delete-fact.js';
import { FactEvents } from './fact-events.js';
import { FactGate } from './fact-gate.js';
import { FactPermissions, TrustedAgents } from './fact-permissions.js';
import { FactRequests } from './fact-requests.js';
import { GetFactHandler } from './get-fact.js';
import { GetSemSnapshotHandler } from './get-sem-snapshot.js';
import { IntegrityWarnings } from './integrity-warnings.js';
import { PinnedSemSnapshots } from './pinned-sem-snapshots.js';
import { PutFactHandler } from './put-fact.js';
import { ReadFactHistoryHandler } from './read-fact-history.js';
import { ResolveAliasHandler } from './resolve-alias.js';
import { SearchFactsHandler } from './search-facts.js';
import { ShownFacts } from './shown-facts.js';
import { SemKeysController, SemController, SemSnapshotsController } from './sem.controller.js';

@Module({
  controllers: [SemController, SemKeysController, SemSnapshotsController],
  providers: [
    TrustedAgents,
    FactEvents,
    FactGate,
    FactPermissions,
    FactRequests,
    ShownFacts,
    IntegrityWarnings,
    PinnedSemSnapshots,
    PutFactHandler,
    DeleteFactHandler,
    GetFactHandler,
    ReadFactHistoryHandler,
    SearchFactsHandler,
    GetSemSnapshotHandler,
    ResolveAliasHandler,
    ClaimKeyHandler,
  ],
  exports: [FactEvents, FactPermissions, FactRequests, ShownFacts],
})
export class SemModule {}
