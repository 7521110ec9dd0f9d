import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { SearchMemory } from './search-memory.js';

@ApiTags('search')
@Controller('v1/search')
export class SearchController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  search(@Request() asked: SearchMemory) {
    return this.commands.execute(asked);
  }
}
