import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Optional,
} from '@nestjs/common';
import type { Logger } from 'pino';
import type { EventStore } from '#event-store/event-store.js';
import { PositionWatch } from '#read-model/position-watch.js';
import type { Postgres } from '#read-model/postgres.js';
import { ProjectionRunner } from '#read-model/projection-runner.js';
import { Projections } from '#read-model/projections.js';
import { clearText } from '#domain/privacy/clear-text.js';
import type { ServiceConfig } from './config/service-config.js';
import { CONFIG, EVENT_STORE_CONNECTION, LOGGER, ONLY, OWNER_POSTGRES } from './tokens.js';

const MS_PER_HOUR = 3_600_000;

/** Runs the program's projections from its start to its end. Needs `ProgramModule` and `Projections`. */
@Module({})
export class ProjectorModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private runner: ProjectionRunner | undefined;

  constructor(
    @Inject(EVENT_STORE_CONNECTION) private readonly eventStore: EventStore,
    @Inject(OWNER_POSTGRES) private readonly postgres: Postgres,
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
      ...(watch === undefined ? {} : { watch }),
    });
    this.runner.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.runner?.stop();
  }
}
