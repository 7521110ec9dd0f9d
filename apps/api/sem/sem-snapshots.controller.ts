import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { Roles } from '../platform/auth/roles.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { SearchFactsQuery, SnapshotPath } from './dto/fact.dto.js';
import { SemSnapshotDto } from './dto/fact-view.dto.js';
import { GetSemSnapshot } from './get-sem-snapshot.handler.js';

@ApiTags('sem')
@Controller('v1/sem-snapshots')
export class SemSnapshotsController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':id')
  @ReadsFrom('sem', 'jobs')
  @Roles({ all: ['auditor', 'admin'], of: 'user' })
  @Answers(200, SemSnapshotDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'A snapshot that a job pinned, with its facts in pages (SPEC S8)' })
  get(@Caller() actor: Actor, @Param() { id }: SnapshotPath, @Query() page: SearchFactsQuery) {
    return this.queries.execute(new GetSemSnapshot(actor, id, page));
  }
}
