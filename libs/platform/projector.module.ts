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
import { RowSeals } from '#read-model/row-seals.js';
import { EVENT_STORE_CONNECTION, LOGGER, ONLY, OWNER_POSTGRES } from './tokens.js';

/** Runs the program's projections from its start to its end. Needs `ProgramModule` and `Projections`. */
@Module({})
export class ProjectorModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private runner: ProjectionRunner | undefined;

  constructor(
    @Inject(EVENT_STORE_CONNECTION) private readonly eventStore: EventStore,
    @Inject(OWNER_POSTGRES) private readonly postgres: Postgres,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly projections: Projections,
    private readonly seals: RowSeals,
    @Optional() private readonly watch?: PositionWatch,
    @Optional() @Inject(ONLY) private readonly only?: readonly string[],
  ) {}

  /** Runs these projections alone; undefined runs all of them. */
  static only(names: readonly string[] | undefined): DynamicModule {
    return { module: ProjectorModule, providers: [{ provide: ONLY, useValue: names }] };
  }

  onApplicationBootstrap(): void {
    const { eventStore, postgres, log, watch, only } = this;
    this.runner = new ProjectionRunner({
      ...{ eventStore, postgres, log, isDedicated: only !== undefined },
      onDifference: (row) => this.seals.report(row),
      projections: this.projections.named(only),
      ...(watch === undefined ? {} : { watch }),
    });
    this.runner.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.runner?.stop();
  }
}
