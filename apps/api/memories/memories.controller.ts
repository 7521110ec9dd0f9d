import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { ForgetMemory } from './forget-memory.js';
import { GetMemory } from './get-memory.js';
import { ListMemories } from './list-memories.js';
import { ExportMemories, ReplayMemories } from './memory-record.js';
import { RecallMemories } from './recall.js';
import { RememberMemory } from './remember.js';
import { RewordMemory } from './reword-memory.js';

@ApiTags('memories')
@Controller('v1')
export class RememberController extends RequestController {
  @Post('remember')
  remember(@Request() asked: RememberMemory) {
    return this.commands.execute(asked);
  }

  @Post('recall')
  recall(@Request() asked: RecallMemories) {
    return this.commands.execute(asked);
  }
}

@ApiTags('memories')
@Controller('v1/memories')
export class MemoriesController extends RequestController {
  @Get()
  list(@Request() asked: ListMemories) {
    return this.queries.execute(asked);
  }

  @Get('bundle')
  bundle(@Request() asked: ExportMemories) {
    return this.queries.execute(asked);
  }

  @Post('replays')
  replay(@Request() asked: ReplayMemories) {
    return this.queries.execute(asked);
  }

  @Get(':memory_id')
  get(@Request() asked: GetMemory) {
    return this.queries.execute(asked);
  }

  @Put(':memory_id')
  reword(@Request() asked: RewordMemory) {
    return this.commands.execute(asked);
  }

  @Delete(':memory_id')
  forget(@Request() asked: ForgetMemory) {
    return this.commands.execute(asked);
  }
}
