import { Global, Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { keyedHashJson } from '#domain/determinism/hash.js';
import { ARTIFACTS_FOLDER, openArtifacts } from '#artifacts/index.js';
import { keyringOf } from '#domain/reflective-log/signature.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { EVENT_STORE_CONNECTION, OWNER_POSTGRES } from '#platform/tokens.js';
import type { EventStore } from '#event-store/event-store.js';
import { PositionWatch } from '#read-model/position-watch.js';
import type { Postgres } from '#read-model/postgres.js';
import { RowMacs } from '#read-model/row-macs.js';
import { SealingKeys } from '#subject-keys/sealing-keys.js';
import { SemSnapshots } from '#projections/sem/sem-snapshots.js';
import { ArtifactTexts } from './artifacts/artifact-texts.js';
import { ArtifactsWatch } from './artifacts/artifacts-watch.js';
import { RolesGuard } from './auth/roles.guard.js';
import { cacheErrorLog } from './cache/cache-error.js';
import { FactCache } from './cache/fact-cache.js';
import { FailureContext } from './errors/failure-context.js';
import { FailureFilter } from './errors/failure.filter.js';
import { LogBehind } from './errors/log-behind.js';
import { RefusalAudit } from './errors/refusal-audit.js';
import { WriteHealth } from './errors/write-health.js';
import { CountedEventStore } from './health/counted-event-store.js';
import { Metrics } from './health/metrics.js';
import { DtoPipe } from './http/dto.pipe.js';
import type { KeyedHash } from './http/identity.js';
import { OwnWrites } from './http/own-writes.js';
import { SealedCursors } from './http/sealed-cursors.js';
import { LogEnd } from './log-end.js';
import { LogWatch } from './log-watch.js';
import { ReadModels } from './read-models.js';
import { RequestClaims } from './request-claims.js';
import { SameLog } from './same-log.js';
import type { Servers } from './start/servers.js';
import { storeProviders } from './stores.js';
import { StreamNames } from './stream-names.js';
import {
  ARTIFACTS,
  EMBEDDED_SERVERS,
  EVENT_STORE,
  KEYED_HASH,
  KEYRING,
  READ_MODELS,
} from './tokens.js';

/** Provides everything that capabilities inject. */
@Global()
@Module({})
export class PlatformModule {
  constructor(bus: CommandBus, metrics: Metrics) {
    bus.subscribe((command) => metrics.commands.inc({ type: command.constructor.name }));
  }

  static of(config: ServiceConfig, embedded: Servers['embedded'], logger: Logger): DynamicModule {
    const keyedHash: KeyedHash = (value) => keyedHashJson(config.signingKey, value);
    const values = [
      { provide: EMBEDDED_SERVERS, useValue: embedded },
      {
        provide: EVENT_STORE,
        inject: [EVENT_STORE_CONNECTION, Metrics, WriteHealth, OwnWrites],
        useFactory: (
          log: EventStore,
          metrics: Metrics,
          writes: WriteHealth,
          ownWrites: OwnWrites,
        ) => new CountedEventStore(log, metrics, writes, ownWrites),
      },
      {
        provide: PositionWatch,
        inject: [OWNER_POSTGRES],
        useFactory: (postgres: Postgres) => new PositionWatch(postgres),
      },
      { provide: READ_MODELS, useClass: ReadModels },
      { provide: KEYED_HASH, useValue: keyedHash },
      {
        provide: ARTIFACTS,
        useFactory: () =>
          openArtifacts(join(config.dataDir, ARTIFACTS_FOLDER), config.artifactsUrl),
      },
      {
        provide: SealingKeys,
        useFactory: () => new SealingKeys(config.sealingKey, config.oldSealingKeys),
      },
      StreamNames,
      SealedCursors,
      { provide: KEYRING, useValue: keyringOf(config.signingKey, config.oldSigningKeys) },
      {
        provide: FactCache,
        inject: [Metrics, RowMacs, SemSnapshots],
        useFactory: (metrics: Metrics, macs: RowMacs, facts: SemSnapshots) =>
          new FactCache({
            macs,
            url: config.redisUrl,
            installation: keyedHash('fact cache').slice(0, 16),
            onError: cacheErrorLog(logger, metrics, facts),
            onUp: () => logger.info({ type: 'cache_recovered' }),
          }),
      },
      ...storeProviders,
      RequestClaims,
      LogEnd,
      LogWatch,
      ArtifactTexts,
      ArtifactsWatch,
      SameLog,
      Metrics,
      WriteHealth,
      OwnWrites,
      RefusalAudit,
      FailureContext,
      FailureFilter,
      LogBehind,
    ];
    return {
      module: PlatformModule,
      imports: [CqrsModule.forRoot()],
      providers: [
        ...values,
        { provide: APP_FILTER, useExisting: FailureFilter },
        { provide: APP_GUARD, useClass: RolesGuard },
        { provide: APP_PIPE, useClass: DtoPipe },
      ],
      exports: [
        ...values.map((provider) => ('provide' in provider ? provider.provide : provider)),
        CqrsModule,
      ],
    };
  }
}
