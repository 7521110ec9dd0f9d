import { Controller, Delete, Get, Head, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ROLES } from '#platform/auth/roles.js';
import { Roles } from '../platform/auth/roles.js';
import { callerAuthOf } from './caller-auth.js';
import { MemoryEndpoint } from './memory-endpoint.js';
import { webRequestOf } from './web-request.js';

/** MCP over streamable HTTP. The caller's tools make requests to the other routes, which authorise them. */
@ApiExcludeController()
@Controller('mcp')
export class McpController {
  constructor(private readonly endpoint: MemoryEndpoint) {}

  @Post()
  @Roles({ all: ROLES })
  async post(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request, reply);
  }

  /** Answers 405, as GET does. Fastify’s own HEAD cannot send the answer of a GET that sets no length. */
  @Head()
  @Roles({ all: ROLES })
  async head(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request, reply);
  }

  /** Answers 405, because streams belong to sessions and this server keeps none. */
  @Get()
  @Roles({ all: ROLES })
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request, reply);
  }

  /** Answers 405, because this server keeps no sessions. */
  @Delete()
  @Roles({ all: ROLES })
  async delete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request, reply);
  }

  private async answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const caller = callerAuthOf(request);
    const answer = await this.endpoint.answer(webRequestOf(request, reply), caller, request.body);
    void reply.send(answer);
  }
}
