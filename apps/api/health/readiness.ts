import { Inject, Injectable } from '@nestjs/common';
import { HealthCheckService, type HealthCheckResult } from '@nestjs/terminus';
import type { EventStore } from '#event-store/event-store.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { EventStoreWatch } from '#platform/servers/event-store-watch.js';
import { Postgres } from '#read-model/postgres.js';
import { ArtifactsWatch } from '../platform/artifacts/artifacts-watch.js';
import type { RefusedWrites } from '../platform/errors/refused-writes.js';
import { WriteHealth } from '../platform/errors/write-health.js';
import type { ReadModels } from '../platform/read-models.js';
import type { Servers } from '../platform/start/servers.js';
import {
  CONFIG,
  EMBEDDED_SERVERS,
  EVENT_STORE,
  READ_MODELS,
  REFUSED_WRITES,
} from '../platform/tokens.js';
import { ChangedRows } from '../integrity/changed-rows.js';
import {
  artifactsHealth,
  changedRowsHealth,
  embeddedHealth,
  eventStoreHealth,
  integrityHealth,
  postgresHealth,
  readModelHealth,
  storageHealth,
} from './indicators.js';
import { IntegrityVerification } from '../integrity/integrity-verification.js';

const isResult = (value: unknown): value is HealthCheckResult =>
  typeof value === 'object' && value !== null && 'details' in value;

/** Checks whether the service can handle commands and queries. */
@Injectable()
export class Readiness {
  constructor(
    private readonly health: HealthCheckService,
    private readonly postgres: Postgres,
    private readonly integrity: IntegrityVerification,
    private readonly eventStoreWatch: EventStoreWatch,
    private readonly changedRows: ChangedRows,
    private readonly artifacts: ArtifactsWatch,
    private readonly writes: WriteHealth,
    @Inject(CONFIG) private readonly config: ServiceConfig,
    @Inject(REFUSED_WRITES) private readonly refusedWrites: RefusedWrites,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(EMBEDDED_SERVERS) private readonly embedded: Servers['embedded'],
  ) {}

  /** Returns the result of every check; its `status` is `ok` if none failed. */
  async check(): Promise<HealthCheckResult> {
    try {
      return await this.health.check([
        () => eventStoreHealth(this.eventStore, this.eventStoreWatch),
        async () => integrityHealth(await this.integrity.last()),
        () => changedRowsHealth(this.changedRows),
        () => artifactsHealth(this.artifacts),
        () => storageHealth(this.writes, this.config, this.refusedWrites),
        () => postgresHealth(this.postgres),
        () => readModelHealth(this.readModels, this.eventStore),
        () => embeddedHealth(this.embedded()),
      ]);
    } catch (error) {
      // Terminus throws the result of a failed check, which is the answer here.
      const found: unknown = (error as { getResponse?: () => unknown }).getResponse?.();
      if (!isResult(found)) throw error;
      return found;
    }
  }
}
