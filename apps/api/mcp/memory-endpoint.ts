import type { AuthInfo, McpServerFactory } from '@modelcontextprotocol/server';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { randomBytes } from 'node:crypto';
import { MaceClient } from '#client/mace-client.js';
import { HttpEndpoint, MAX_SUBSCRIPTIONS } from '#mcp/http-endpoint.js';
import { memoryServer } from '#mcp/memory-server.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { type Release, Shares } from '../platform/shares.js';
import { CONFIG } from '../platform/tokens.js';
import { VERSION } from '../platform/version.js';
import { allowedHosts } from './allowed-hosts.js';
import { inProcessFetch } from './in-process-fetch.js';

/** The most streams that one subject holds open to wait for changes. */
const MAX_OF_SUBJECT = 10;

/** The memory of this service over MCP. The server of a request calls this service with the caller's token. */
@Injectable()
export class MemoryEndpoint extends HttpEndpoint implements OnModuleDestroy {
  constructor(host: HttpAdapterHost, @Inject(CONFIG) config: ServiceConfig) {
    const serverFor: McpServerFactory = ({ authInfo }) => {
      const { token = '', scopes: roles = [], extra } = authInfo ?? {};
      const traceparent = `00-${String(extra?.['trace_id'])}-${randomBytes(8).toString('hex')}-00`;
      const server = host.httpAdapter.getInstance<FastifyInstance>();
      const client = new MaceClient({
        baseUrl: 'http://mace.invalid',
        token,
        fetch: inProcessFetch(server, traceparent),
      });
      return memoryServer({ client, roles, version: VERSION });
    };
    super({ serverFor, takeSubscription: subscriptionShares(), ...allowedHosts(config) });
  }

  onModuleDestroy(): Promise<void> {
    return this.close();
  }
}

/** Returns how a caller takes a place for a stream that waits for changes. */
export function subscriptionShares(): (caller: AuthInfo) => Release {
  const shares = new Shares('MCP subscriptions', {
    ofSubject: MAX_OF_SUBJECT,
    ofAll: MAX_SUBSCRIPTIONS,
  });
  return ({ clientId }) => shares.take(clientId);
}
