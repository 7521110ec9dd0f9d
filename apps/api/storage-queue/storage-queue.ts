import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { Postgres } from '#read-model/postgres.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { CONFIG, LOGGER } from '../platform/tokens.js';
import { QueueFile } from './queue-file.js';
import { QueueTable } from './queue-table.js';
import type { RefusedWrite } from '#platform/storage-queue/refused-writes.js';

const ADOPT_EVERY_MS = 60_000;

/**
 * Refused writes. They are in a table that all instances share or, while Postgres is full as well, in a
 * file of this instance, from which they move to the table as soon as it accepts them (SPEC F2).
 */
@Injectable()
export class StorageQueue implements OnModuleInit, OnApplicationShutdown {
  readonly table: QueueTable;
  private file: QueueFile | undefined;
  private adoptedAt = -Infinity;

  constructor(
    @Inject(CONFIG) private readonly config: ServiceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    postgres: Postgres,
  ) {
    this.table = new QueueTable(postgres);
  }

  async onModuleInit(): Promise<void> {
    try {
      this.file = await QueueFile.open(this.config.dataDir);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      this.logger.warn({ type: 'queue_file_missing', code: code ?? null });
    }
  }

  /**
   * Keeps a write. Resolves with true when it would survive a restart, and with false if the queue or the
   * caller's share of it is full.
   */
  async keep(write: RefusedWrite): Promise<boolean> {
    try {
      return await this.table.keep(write);
    } catch (cause) {
      if (!(cause instanceof PostgresUnavailable)) throw cause;
      return (await this.file?.keep(write)) ?? false;
    }
  }

  /** The writes in this instance's file. */
  get inFile(): readonly RefusedWrite[] {
    return this.file?.entries ?? [];
  }

  /**
   * Moves the file's writes to the table, and once a minute also those of instances that shared the data
   * directory and have ended. Fails with `PostgresUnavailable`.
   */
  async drainFile(): Promise<void> {
    if (this.file !== undefined) await this.drain(this.file);
    if (performance.now() - this.adoptedAt < ADOPT_EVERY_MS) return;
    for await (const file of QueueFile.ofEndedInstances(this.config.dataDir))
      await this.drain(file);
    this.adoptedAt = performance.now();
  }

  private async drain(file: QueueFile): Promise<void> {
    const moved = new Set<string>();
    for (const write of file.entries) if (await this.table.keep(write)) moved.add(write.command_id);
    if (moved.size > 0) await file.remove(moved);
  }

  /** The number of waiting writes that this instance knows of. Fails with `PostgresUnavailable`. */
  async count(): Promise<number> {
    return (await this.table.count()) + this.inFile.length;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.file?.close();
  }
}
