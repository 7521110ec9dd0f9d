import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { SearchMemory } from './search-memory.js';

@ApiTags('search')
@Controller('v1/search')
export class SearchController extends RequestController {
  @Post()
  search(@Request() asked: SearchMemory) {
    return this.commands.execute(asked);
  }
}
