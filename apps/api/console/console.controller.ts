import { Body, Controller, Get, Post, Req, UseGuards } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '#domain/recorded-event.js';
import { ROLES } from '#platform/auth/roles.js';
import { bearerOf } from '../platform/auth/authentication.hook.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { Public, Roles } from '../platform/auth/roles.js';
import { Answers } from '../platform/http/answers.decorator.js';
import { EmptyDto } from '../platform/http/empty.dto.js';
import {
  SessionDto,
  SignedInDto,
  SignInLinkDto,
  SignInWaysDto,
  UseLinkDto,
} from './dto/sign-in.dto.js';
import { MakeLink } from './make-link.handler.js';
import { SignInWays } from './sign-in-ways.handler.js';
import { ThisMachineGuard } from './this-machine.guard.js';
import { UseLink } from './use-link.handler.js';
import { WhoAmI } from './who-am-i.handler.js';

/** How people get into the console. Nothing here reads or writes memory. */
@ApiTags('console')
@Controller('v1/console')
export class ConsoleController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('sign-in')
  @Public()
  @Answers(200, SignInWaysDto)
  @ApiOperation({ summary: 'How people sign in to the console' })
  ways() {
    return this.queries.execute(new SignInWays());
  }

  @Post('sign-in')
  @Public()
  @UseGuards(ThisMachineGuard)
  @Answers(200, SignedInDto)
  @ApiOperation({
    summary: 'Exchange a one-time sign-in link for its token; only from the service’s machine',
  })
  useLink(@Body() { code }: UseLinkDto) {
    return this.commands.execute(new UseLink(code));
  }

  @Post('links')
  @Roles({ own: ROLES, of: 'token' })
  @UseGuards(ThisMachineGuard)
  @Answers(201, SignInLinkDto)
  @ApiOperation({
    summary:
      'Make a link that signs in to the console with the caller’s token; only from the service’s machine',
  })
  makeLink(@Caller() { sub }: Actor, @Req() request: FastifyRequest, @Body() _body: EmptyDto) {
    return this.commands.execute(new MakeLink(bearerOf(request), sub, request.mace.tokenExpiresAt));
  }

  @Get('session')
  @Roles({ own: ROLES, of: 'token' })
  @Answers(200, SessionDto)
  @ApiOperation({ summary: 'Who the caller is, and until when' })
  session(@Caller() actor: Actor, @Req() request: FastifyRequest) {
    return this.queries.execute(new WhoAmI(actor, request.mace.tokenExpiresAt));
  }
}
