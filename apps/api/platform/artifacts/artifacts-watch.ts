import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { folderId } from '#artifacts/index.js';
import { BackgroundLoop } from '#platform/background-loop.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { OwnTables } from '#read-model/own-tables.js';
import { Postgres } from '#read-model/postgres.js';
import { CONFIG, LOGGER } from '../tokens.js';

const TABLES = readFileSync(new URL('./tables.sql', import.meta.url), 'utf8');

const LOOK_EVERY_MS = 10_000;
/** An instance that was not seen for this time has ended. */
const SILENCE = `interval '60 seconds'`;

const NOTE = `insert into artifacts.store_in_use values ($1, now())
  on conflict (store) do update set seen_at = now()`;
const OTHERS = `select count(*)::int as others from artifacts.store_in_use
  where store <> $1 and seen_at > now() - ${SILENCE}`;

/**
 * Finds out whether another instance keeps artifacts elsewhere, such as in a folder of its own machine. Each
 * instance then lacks the texts that others have stored.
 */
@Injectable()
export class ArtifactsWatch implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new BackgroundLoop(() => this.round());
  private readonly tables: OwnTables;
  private shared = true;

  constructor(
    @Inject(CONFIG) private readonly config: ServiceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly postgres: Postgres,
  ) {
    this.tables = new OwnTables(postgres, 'artifacts', TABLES);
  }

  /** False while other instances keep artifacts in another store. */
  get isShared(): boolean {
    return this.shared;
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
  }

  private async round(): Promise<number> {
    // If Postgres or the folder cannot be reached, other checks report it.
    const shared = await this.look().catch(() => this.shared);
    if (this.shared && !shared)
      this.logger.error(
        { type: 'artifacts_not_shared' },
        'Other instances keep artifacts in another store, so each lacks the texts of the others: give all instances the same MACE_ARTIFACTS_URL, or one data directory.',
      );
    if (!this.shared && shared) this.logger.info({ type: 'artifacts_shared' });
    this.shared = shared;
    return LOOK_EVERY_MS;
  }

  private async look(): Promise<boolean> {
    const store = this.config.artifactsUrl ?? (await folderId(this.folder));
    await this.tables.make();
    await this.postgres.query(NOTE, [store]);
    const [row] = await this.postgres.query<{ others: number }>(OTHERS, [store]);
    return row?.others === 0;
  }

  private get folder(): string {
    return join(this.config.dataDir, 'artifacts');
  }
}
