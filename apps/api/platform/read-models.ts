import { Refusal } from '#domain/errors/refusal.js';
import { laterOf } from '#read-model/later-of.js';
import type { PositionWatch } from '#read-model/position-watch.js';
import type { Postgres } from '#read-model/postgres.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { ownerRecord, projectionRecords, requestRebuild } from '#read-model/projection-records.js';
import { schemaState } from '#read-model/schema-layout.js';
import type { ReadModels, ReadModelStatus } from './resources.js';

/** How long a read waits for what it must show (SPEC §13). */
const PATIENCE_MS = 2_000;

/** The read models as Postgres shows them, so that it is the same whichever process projects them. */
export class PostgresReadModels implements ReadModels {
  constructor(
    private readonly postgres: Postgres,
    private readonly watch: PositionWatch,
    readonly names: readonly string[],
  ) {}

  reach(position: bigint, names: readonly string[]): Promise<void> {
    return this.watch.waitFor(names, position, PATIENCE_MS);
  }

  shown(names: readonly string[]): bigint | undefined {
    return this.watch.shown(names);
  }

  expect(names: readonly string[]): () => void {
    return this.watch.expect(names);
  }

  /** Whether all of them have their tables. */
  async exist(): Promise<boolean> {
    try {
      const states = await Promise.all(this.names.map((name) => schemaState(this.postgres, name)));
      return states.every((state) => state !== undefined);
    } catch (cause) {
      if (cause instanceof PostgresUnavailable) return false;
      throw cause;
    }
  }

  async status(): Promise<readonly ReadModelStatus[]> {
    const records = await projectionRecords(this.postgres);
    const owner = await ownerRecord(this.postgres);
    return Promise.all(
      this.names.map(async (name) => {
        const record = records.find((candidate) => candidate.name === name);
        return {
          name,
          // The rows may show more than their checkpoint says, where nothing has concerned them since.
          position: laterOf(
            (await schemaState(this.postgres, name))?.position,
            this.watch.positionOf(name),
          ),
          stopped: record?.poison,
          rebuilding: record?.rebuildRequested ?? false,
          heartbeatSecondsAgo: owner?.heartbeatSecondsAgo,
        };
      }),
    );
  }

  async rebuild(name: string): Promise<void> {
    if (!(await requestRebuild(this.postgres, name)))
      throw new Refusal('NOT_FOUND', { what: 'read model', id: 'of this name' });
  }
}
