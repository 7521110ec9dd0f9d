import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { EventStoreWatch } from '#platform/servers/event-store-watch.js';
import { NestLogger } from '#platform/start/nest-logger.js';
import { AppModule, type Capabilities } from './app.module.js';
import { SignInLinks } from './console/sign-in-links.js';
import { RateLimit } from './platform/auth/rate-limit.js';
import { routeTable } from './platform/auth/route-table.js';
import { TokenVerifier } from './platform/auth/token-verifier.js';
import { FailureFilter } from './platform/errors/failure.filter.js';
import { LogBehind } from './platform/errors/log-behind.js';
import { Metrics } from './platform/health/metrics.js';
import { serveConsole } from './platform/http/console-pages.js';
import { serveFrontPage } from './platform/http/front-page.js';
import { httpAdapter, prepare } from './platform/http/http-server.js';
import type { KeyedHash } from './platform/http/identity.js';
import { OwnWrites } from './platform/http/own-writes.js';
import { describe } from './platform/openapi.js';
import type { ReadModels } from './platform/read-models.js';
import { LogWatch } from './platform/log-watch.js';
import { SameLog } from './platform/same-log.js';
import { KEYED_HASH, READ_MODELS } from './platform/tokens.js';
import type { Servers } from './platform/start/servers.js';

export interface Service {
  /** The service's URL, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Why hosts of the event store cannot be used now; empty if all can. */
  readonly eventStoreFaults: readonly string[];
  /** True if the read models are still being filled from the log. */
  readonly isFilling: boolean;
  /** Makes a one-time link that signs in to the console with this token of a subject. */
  readonly makeSignInLink: SignInLinks['make'];
  /**
   * Rejects if the event store comes back with another log, whereupon the service must be stopped; never
   * resolves.
   */
  readonly failed: Promise<never>;
  /**
   * Stops process managers, requests, projections and connections, in this order, so that nothing is lost.
   */
  stop(): Promise<void>;
}

/** The longest time in ms that a start waits for the read models' tables. */
const TABLES_TIMEOUT_MS = 15_000;
/** The longest time in ms that a start waits until new tables are filled. */
const FILL_TIMEOUT_MS = 3_000;

/**
 * Starts the service on running servers: projections, process managers, HTTP. `more` adds modules to the
 * product's capabilities. Fails with EADDRINUSE if the port is taken, and with BadConfig if the keys belong
 * to another log.
 */
export async function startService(
  config: ServiceConfig,
  servers: Servers,
  logger: Logger,
  more: Capabilities = [],
): Promise<Service> {
  const adapter = httpAdapter(
    config,
    (...failure) => app.get(FailureFilter).answer(...failure),
    (error, socket) => app.get(FailureFilter).answerMalformed(error, socket),
  );
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.of(config, servers, logger, more),
    adapter,
    { bodyParser: false, logger: new NestLogger(logger), abortOnError: false },
  );
  const readModels = app.get<ReadModels>(READ_MODELS);
  prepare(app.getHttpAdapter().getInstance(), {
    verifier: new TokenVerifier(config.tokenKeys),
    rateLimit:
      config.rateLimitPerMinute === undefined
        ? undefined
        : new RateLimit(config.rateLimitPerMinute),
    metrics: app.get(Metrics),
    logger,
    keyedHash: app.get<KeyedHash>(KEYED_HASH),
    privacyRules: config.privacyRules,
    reach: (position, names) => readModels.reach(position, names),
    requireEnd: (least) => app.get(LogBehind).requireEnd(least),
    ownWrites: app.get(OwnWrites),
    limits: config,
  });
  describe(app);
  app.getHttpAdapter().getInstance().paths.describe(routeTable(app));
  serveFrontPage(app.getHttpAdapter().getInstance());
  serveConsole(app.getHttpAdapter().getInstance(), config.openId);
  const logWatch = app.get(LogWatch);
  const faults = (): readonly string[] => app.get(EventStoreWatch).state.faults;
  let isFilling = false;
  try {
    // The read models of another log are emptied only if the keys belong to this log.
    await logWatch.start();
    await app.init();
    if (!(await readModels.haveTables(TABLES_TIMEOUT_MS)))
      logger.warn(
        { type: 'read_models_missing' },
        'The service starts before the read models have their tables.',
      );
    else if (faults().length === 0) isFilling = !(await readModels.areFilled(FILL_TIMEOUT_MS));
    if (isFilling)
      logger.warn(
        { type: 'read_models_filling' },
        'The service starts while its read models are being filled from the log. It is ready when they are.',
      );
    // No request is answered from rows of another log.
    const sameLog = app.get(SameLog);
    await sameLog.untilConfirmed(TABLES_TIMEOUT_MS);
    // Fastify listens directly, because Nest would log a taken port before it throws.
    await adapter.getInstance().listen({ port: config.port, host: config.host });
    // The health check shows the rebuild, and reads wait for it.
    await sameLog.untilRebuilt();
  } catch (error) {
    await app.close();
    throw error;
  }
  return {
    url: urlOf(app, config.host),
    eventStoreFaults: faults(),
    isFilling,
    makeSignInLink: (...link) => app.get(SignInLinks).make(...link),
    failed: logWatch.failed,
    stop: () => app.close(),
  };
}

function urlOf(app: NestFastifyApplication, host: string): string {
  const address = app.getHttpServer().address();
  const port = typeof address === 'object' && address !== null ? address.port : '';
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
