import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { diffOfPhases } from '#domain/memory-contract/phases/tell-diff.js';
import { phasesView, storeView } from '#domain/memory-contract/trace/view.js';
import { plainView } from '#domain/plain-view.js';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { Roles } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { PhaseDiffQuery, StorePath, StoreQuery, TracesQuery } from './dto/memory-path.dto.js';
import { InteractionDto, RecallDto } from './dto/memory-request.dto.js';
import { RecallMemory } from './recall-memory.handler.js';
import { RecordMemory } from './record-interaction.handler.js';
import { StoreReads } from './store-reads.js';

const DEFAULT_TRACES = 50;

@ApiTags('memory-contract')
@Controller('v1/memory')
export class MemoryContractController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reads: StoreReads,
  ) {}

  @Post('recall')
  @HttpCode(200)
  @Roles('agent', 'admin')
  @ApiOperation({
    summary: 'What is known, before the model is called; every decision traced (M16)',
  })
  async recall(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Body() body: RecallDto,
  ) {
    const { items, trace, position } = await this.commands.execute(
      new RecallMemory(actor, body, identity),
    );
    return Answer.written({ items, trace }, position);
  }

  @Post('interactions')
  @Roles('agent', 'admin')
  @ApiOperation({
    summary: 'What was said, after the model was called; every decision traced (M18)',
  })
  async record(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Body() body: InteractionDto,
  ) {
    const { written, trace, position } = await this.commands.execute(
      new RecordMemory(actor, body, identity),
    );
    return Answer.written({ written, trace }, position);
  }

  @Get(':space/:owner')
  @Roles('agent', 'admin', 'auditor', 'council')
  @ApiOperation({ summary: 'What a store holds, or held at an earlier tick (SPEC X3)' })
  async store(@Caller() actor: Actor, @Param() path: StorePath, @Query() { tick }: StoreQuery) {
    return storeView(await this.reads.store(actor, path, tick));
  }

  @Get(':space/:owner/phases')
  @Roles('agent', 'admin', 'auditor', 'council')
  @ApiOperation({ summary: 'The phases of a store, oldest first (SPEC M14)' })
  async phases(@Caller() actor: Actor, @Param() path: StorePath) {
    const state = await this.reads.store(actor, path);
    return { space: state.space, owner: state.owner, phases: phasesView(state) };
  }

  @Get(':space/:owner/phases/diff')
  @Roles('agent', 'admin', 'auditor', 'council')
  @ApiOperation({ summary: 'What changed from one phase to another (SPEC M15)' })
  async diff(
    @Caller() actor: Actor,
    @Param() path: StorePath,
    @Query() { from, to }: PhaseDiffQuery,
  ) {
    const state = await this.reads.store(actor, path);
    const { space, owner } = state;
    const diff = diffOfPhases(state, from, to);
    return { space, owner, from_phase_id: from, to_phase_id: to, ...diff };
  }

  @Get(':space/:owner/traces')
  @ReadsFrom('memory_items')
  @Roles('agent', 'admin', 'auditor', 'council')
  @ApiOperation({ summary: 'What was decided, in order, paged; `plain` for reading (SPEC M19)' })
  async traces(
    @Caller() actor: Actor,
    @Param() path: StorePath,
    @Query() { from = 0, limit = DEFAULT_TRACES, format }: TracesQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { traces, next_from } = await this.reads.traces(actor, path, from, limit);
    if (format !== 'plain') return { traces, next_from };
    reply.header('content-type', 'text/plain; charset=utf-8');
    return traces.map((trace) => `${plainView(trace)}\n`).join('\n');
  }
}
