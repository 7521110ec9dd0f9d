import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { AskQuery } from './ask-query.js';

@ApiTags('queries')
@Controller('v1/queries')
export class QueriesController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  ask(@Request() query: AskQuery) {
    return this.commands.execute(query);
  }
}
