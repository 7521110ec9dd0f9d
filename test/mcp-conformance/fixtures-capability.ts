import {
  Controller,
  Delete,
  Get,
  Inject,
  Module,
  type OnModuleDestroy,
  Post,
  Req,
  Res,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { allowedHosts } from '#apps/api/mcp/allowed-hosts.js';
import { callerAuthOf } from '#apps/api/mcp/caller-auth.js';
import { webRequestOf } from '#apps/api/mcp/web-request.js';
import { Roles } from '#apps/api/platform/auth/roles.js';
import { CONFIG } from '#apps/api/platform/tokens.js';
import { HttpEndpoint } from '#mcp/http-endpoint.js';
import { ROLES } from '#platform/auth/roles.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { fixtureServer } from './fixtures/fixture-server.js';
import { sessions } from './sessions.js';

/** The path of the MCP server that has the suite's fixtures. */
export const FIXTURES_PATH = '/conformance/mcp';

/**
 * The fixtures of the official suite, behind the product's transport and authorisation: the hooks, the guard and
 * `HttpEndpoint` are those of `/mcp`; only the server is another one.
 */
@ApiExcludeController()
@Controller(FIXTURES_PATH)
class FixturesController implements OnModuleDestroy {
  private readonly endpoint: HttpEndpoint;

  constructor(@Inject(CONFIG) config: ServiceConfig) {
    const serverFor = () => fixtureServer(() => this.endpoint.notify);
    this.endpoint = new HttpEndpoint({
      serverFor,
      sessions: sessions(serverFor),
      ...allowedHosts(config),
    });
  }

  @Post()
  @Roles({ all: ROLES })
  post(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.answer(request, reply);
  }

  @Get()
  @Roles({ all: ROLES })
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.answer(request, reply);
  }

  @Delete()
  @Roles({ all: ROLES })
  delete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.answer(request, reply);
  }

  onModuleDestroy(): Promise<void> {
    return this.endpoint.close();
  }

  private async answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const answered = webRequestOf(request, reply);
    void reply.send(await this.endpoint.answer(answered, callerAuthOf(request), request.body));
  }
}

@Module({ controllers: [FixturesController] })
export class FixturesCapability {}
