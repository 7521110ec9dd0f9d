import { Module } from '@nestjs/common';
import { EpisodesModule } from '../episodes/episodes.module.js';
import { MemoryContractModule } from '../memory-contract/memory-contract.module.js';
import { NotesModule } from '../notes/notes.module.js';
import { OversightModule } from '../oversight/oversight.module.js';
import { SemModule } from '../sem/sem.module.js';
import { EpisodeOrigin } from './episode-origin.js';
import { ExplainWhyHandler, Origins } from './explain-why.js';
import { FactOrigin } from './fact-origin.js';
import { ItemOrigin } from './item-origin.js';
import { ListAccessesToHandler, ListReadsHandler } from './list-reads.js';
import { NoteOrigin } from './note-origin.js';
import { WhyController } from './why.controller.js';

@Module({
  imports: [SemModule, EpisodesModule, MemoryContractModule, NotesModule, OversightModule],
  controllers: [WhyController],
  providers: [
    FactOrigin,
    EpisodeOrigin,
    ItemOrigin,
    NoteOrigin,
    Origins,
    ExplainWhyHandler,
    ListReadsHandler,
    ListAccessesToHandler,
  ],
})
export class WhyModule {}
