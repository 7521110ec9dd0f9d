import { Controller, Get, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { plainView } from '#domain/plain-view.js';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { GetPhaseDiff, ListPhases } from './store-phases.js';
import { GetStore } from './get-store.js';
import { ListSessions } from './list-sessions.js';
import { ListStores } from './list-stores.js';
import { ListTraces } from './list-traces.js';
import { ListTurns } from './list-turns.js';
import { RecallMemory, RecordMemory } from './memory-commands.js';

@ApiTags('memory-contract')
@Controller('v1/memory')
export class MemoryContractController extends RequestController {
  @Post('recall')
  recall(@Request() asked: RecallMemory) {
    return this.commands.execute(asked);
  }

  @Post('interactions')
  record(@Request() turn: RecordMemory) {
    return this.commands.execute(turn);
  }

  @Get()
  stores(@Request() asked: ListStores) {
    return this.queries.execute(asked);
  }

  @Get('sessions')
  sessions(@Request() asked: ListSessions) {
    return this.queries.execute(asked);
  }

  @Get(':space/:owner')
  store(@Request() asked: GetStore) {
    return this.queries.execute(asked);
  }

  @Get(':space/:owner/phases')
  phases(@Request() asked: ListPhases) {
    return this.queries.execute(asked);
  }

  @Get(':space/:owner/phases/diff')
  diff(@Request() asked: GetPhaseDiff) {
    return this.queries.execute(asked);
  }

  @Get(':space/:owner/turns')
  turns(@Request() asked: ListTurns) {
    return this.queries.execute(asked);
  }

  @Get(':space/:owner/traces')
  async traces(@Request() asked: ListTraces, @Res({ passthrough: true }) reply: FastifyReply) {
    const answer = await this.queries.execute(asked);
    if (asked.format !== 'plain') return answer;
    reply.header('content-type', 'text/plain; charset=utf-8');
    if (answer.asOf !== undefined) reply.header('mace-as-of', answer.asOf.toString());
    return answer.body.traces.map((trace) => `${plainView(trace)}\n`).join('\n');
  }
}
