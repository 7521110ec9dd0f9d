import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Optional,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { Refusal } from '#domain/errors/refusal.js';
import type { EventStore } from '#event-store/event-store.js';
import type { OpenSealed } from '#read-model/projection.js';
import { PositionWatch } from '#read-model/position-watch.js';
import type { Postgres } from '#read-model/postgres.js';
import { ProjectionRunner } from '#read-model/projection-runner.js';
import { Projections } from '#read-model/projections.js';
import { SealingKeys } from '#subject-keys/sealing-keys.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';
import { clearText } from '#domain/privacy/clear-text.js';
import type { ServiceConfig } from './config/service-config.js';
import {
  CONFIG,
  EVENT_STORE_CONNECTION,
  KEYS_POSTGRES,
  LOGGER,
  ONLY,
  OWNER_POSTGRES,
} from './tokens.js';

const MS_PER_HOUR = 3_600_000;

/** Runs the program's projections from its start to its end. Needs `ProgramModule` and `Projections`. */
@Module({})
export class ProjectorModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private runner: ProjectionRunner | undefined;

  constructor(
    @Inject(EVENT_STORE_CONNECTION) private readonly eventStore: EventStore,
    @Inject(OWNER_POSTGRES) private readonly postgres: Postgres,
    @Inject(KEYS_POSTGRES) private readonly keysPostgres: Postgres,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly projections: Projections,
    @Inject(CONFIG) private readonly config: ServiceConfig,
    @Optional() private readonly watch?: PositionWatch,
    @Optional() @Inject(ONLY) private readonly only?: readonly string[],
  ) {}

  /** Runs these projections alone; undefined runs all of them. */
  static only(names: readonly string[] | undefined): DynamicModule {
    return { module: ProjectorModule, providers: [{ provide: ONLY, useValue: names }] };
  }

  onApplicationBootstrap(): void {
    const { eventStore, postgres, log, watch, only, config } = this;
    this.runner = new ProjectionRunner({
      ...{ eventStore, postgres, log, isDedicated: only !== undefined },
      compareEveryMs: config.compareRowsHours * MS_PER_HOUR,
      clear: (key) => clearText(key, config.privacyRules),
      projections: this.projections.named(only),
      open: this.openSealed(),
      ...(watch === undefined ? {} : { watch }),
    });
    this.runner.start();
  }

  /**
   * Returns how the projections open sealed values. A value that was changed is null; its reader gets the error. The
   * keys are not compared with the erasures before, as those of requests are, because the event of an erasure follows
   * in the log, and ends the rows that were made with its keys.
   */
  private openSealed(): OpenSealed {
    const { keysPostgres, config, log } = this;
    const sealingKeys = new SealingKeys(config.sealingKey, config.oldSealingKeys);
    const keys = new SubjectKeys(keysPostgres, sealingKeys, config.dataDir);
    keys.use();
    return async (sealed) => {
      try {
        return await keys.open(sealed);
      } catch (cause) {
        if (!(cause instanceof Refusal)) throw cause;
        log.warn({ type: 'sealed_value_damaged' });
        return { value: null };
      }
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.runner?.stop();
  }
}
