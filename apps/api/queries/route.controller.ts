import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RouteQuery } from './route-query.js';

@ApiTags('queries')
@Controller('v1/route')
export class RouteController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  route(@Request() query: RouteQuery) {
    return this.commands.execute(query);
  }
}
