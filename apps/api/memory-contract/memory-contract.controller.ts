import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { plainView } from '#domain/plain-view.js';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { Roles } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import {
  PhaseDiffQuery,
  StorePath,
  StoreQuery,
  StoresQuery,
  TracesQuery,
} from './dto/memory-path.dto.js';
import { InteractionDto, RecallDto } from './dto/memory-request.dto.js';
import {
  PhaseDiffViewDto,
  PhasesDto,
  RecalledDto,
  RecordedInteractionDto,
  StoresPageDto,
  StoreViewDto,
  TracesPageDto,
} from './dto/memory-view.dto.js';
import { GetPhaseDiff } from './get-phase-diff.handler.js';
import { GetStore } from './get-store.handler.js';
import { ListPhases } from './list-phases.handler.js';
import { ListStores } from './list-stores.handler.js';
import { ListTraces } from './list-traces.handler.js';
import { RecallMemory } from './recall-memory.handler.js';
import { RecordMemory } from './record-interaction.handler.js';

@ApiTags('memory-contract')
@Controller('v1/memory')
export class MemoryContractController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('recall')
  @Roles({ own: ['agent'], of: 'session', all: ['admin'] })
  @Answers(200, RecalledDto)
  @Fails('NOT_FOUND', 'PRIVACY_BLOCKED')
  @ApiOperation({
    summary: 'Recall items before a model call, with a trace of every decision (M16)',
  })
  async recall(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Body() body: RecallDto,
  ) {
    const answer = await this.commands.execute(new RecallMemory(actor, body, identity));
    return Answer.written(answer.body, answer.position);
  }

  @Post('interactions')
  @Roles({ own: ['agent'], of: 'session', all: ['admin'] })
  @Answers(201, RecordedInteractionDto)
  @Fails('NOT_FOUND', 'PRIVACY_BLOCKED')
  @ApiOperation({
    summary: 'Record a turn after a model call, with a trace of every decision (M18)',
  })
  async record(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Body() body: InteractionDto,
  ) {
    const answer = await this.commands.execute(new RecordMemory(actor, body, identity));
    return Answer.written(answer.body, answer.position);
  }

  @Get()
  @ReadsFrom('memory_items')
  @Roles({ own: ['agent'], of: 'session', all: ['admin', 'auditor', 'council'] })
  @Answers(200, StoresPageDto)
  @ApiOperation({ summary: 'The stores that the caller may read, in pages' })
  stores(@Caller() actor: Actor, @Query() asked: StoresQuery) {
    return this.queries.execute(new ListStores(actor, asked));
  }

  @Get(':space/:owner')
  @Roles({ own: ['agent'], of: 'session', all: ['admin', 'auditor', 'council'] })
  @Answers(200, StoreViewDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'The items of a store, now or at an earlier tick (SPEC X3)' })
  store(@Caller() actor: Actor, @Param() path: StorePath, @Query() { tick }: StoreQuery) {
    return this.queries.execute(new GetStore(actor, path, tick));
  }

  @Get(':space/:owner/phases')
  @Roles({ own: ['agent'], of: 'session', all: ['admin', 'auditor', 'council'] })
  @Answers(200, PhasesDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'The phases of a store, oldest first (SPEC M14)' })
  phases(@Caller() actor: Actor, @Param() path: StorePath) {
    return this.queries.execute(new ListPhases(actor, path));
  }

  @Get(':space/:owner/phases/diff')
  @Roles({ own: ['agent'], of: 'session', all: ['admin', 'auditor', 'council'] })
  @Answers(200, PhaseDiffViewDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'The changes from one phase to another (SPEC M15)' })
  diff(@Caller() actor: Actor, @Param() path: StorePath, @Query() between: PhaseDiffQuery) {
    return this.queries.execute(new GetPhaseDiff(actor, path, between));
  }

  @Get(':space/:owner/traces')
  @ReadsFrom('memory_items')
  @Roles({ own: ['agent'], of: 'session', all: ['admin', 'auditor', 'council'] })
  @Answers(200, TracesPageDto)
  @Fails('NOT_FOUND')
  @ApiOperation({
    summary: 'The decisions in order, in pages; `plain` is easier to read (SPEC M19)',
  })
  async traces(
    @Caller() actor: Actor,
    @Param() path: StorePath,
    @Query() { format, ...page }: TracesQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const answer = await this.queries.execute(new ListTraces(actor, path, page));
    if (format !== 'plain') return answer;
    reply.header('content-type', 'text/plain; charset=utf-8');
    return answer.traces.map((trace) => `${plainView(trace)}\n`).join('\n');
  }
}
