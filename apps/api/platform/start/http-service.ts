import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../../app.module.js';
import { RateLimit } from '../auth/rate-limit.js';
import { TokenVerifier } from '../auth/token-verifier.js';
import { FailureFilter } from '../errors/failure.filter.js';
import { Metrics } from '../health/metrics.js';
import { httpAdapter, prepare } from '../http/http-server.js';
import type { KeyedHash } from '../http/identity.decorator.js';
import { OwnWrites } from '../http/own-writes.js';
import { describe } from '../openapi.js';
import type { Resources } from '../resources.js';
import { KEYED_HASH } from '../tokens.js';
import { NestLogger } from './nest-logger.js';

export interface HttpService {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Answers what is under way, takes nothing new, stops the process managers. */
  close(): Promise<void>;
}

/** Modules that are served beside the product's. */
export type Capabilities = Parameters<typeof AppModule.of>[1];

/** The HTTP side of the service over opened resources. Fails with EADDRINUSE when the port is taken. */
export async function startHttp(
  resources: Resources,
  more: Capabilities = [],
): Promise<HttpService> {
  const { config, logger, readModels } = resources;
  const adapter = httpAdapter((...failure) => app.get(FailureFilter).answer(...failure));
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.of(resources, more),
    adapter,
    { bodyParser: false, logger: new NestLogger(logger), abortOnError: false },
  );
  prepare(app.getHttpAdapter().getInstance(), {
    verifier: new TokenVerifier(config.tokenKeys),
    rateLimit:
      config.rateLimitPerMinute === undefined
        ? undefined
        : new RateLimit(config.rateLimitPerMinute),
    metrics: app.get(Metrics),
    keyedHash: app.get<KeyedHash>(KEYED_HASH),
    reach: (position, names) => readModels.reach(position, names),
    ownWrites: app.get(OwnWrites),
  });
  describe(app);
  try {
    await app.init();
    // By Fastify itself: Nest logs a taken port before it tells.
    await adapter.getInstance().listen({ port: config.port, host: config.host });
  } catch (error) {
    await app.close();
    throw error;
  }
  return { url: urlOf(app, config.host), close: () => app.close() };
}

function urlOf(app: NestFastifyApplication, host: string): string {
  const address = app.getHttpServer().address();
  const port = typeof address === 'object' && address !== null ? address.port : '';
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
