import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { JsonObject } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import { isSignedBy, type Keyring } from '#domain/reflective-log/signature.js';
import { additionsView } from '#domain/reflective-log/view.js';
import { fieldsOf, rowOf, signatureOf } from '#projections/reflective-logs/log-row.js';
import type { LogRow } from '#projections/reflective-logs/tables.js';
import { ReflectiveLogQueries } from '#projections/reflective-logs/queries.js';
import type { ReadModels } from '../platform/read-models.js';
import { KEYRING, READ_MODELS } from '../platform/tokens.js';
import { LogAccess } from './log-access.js';
import { LogArtifacts } from './log-artifacts.js';

/**
 * Returns the view of a log's row in Postgres, including whether its signature matches the row (SPEC L2,
 * L5).
 */
export const rowView = (row: LogRow, keyring: Keyring): JsonObject => {
  const fields = fieldsOf(row);
  const signature = signatureOf(row);
  return {
    ...fields,
    signature,
    signature_valid: isSignedBy(fields, signature, keyring),
    origin: row.origin,
  };
};

export class ReadLog extends Query<JsonObject> {
  constructor(
    readonly actor: Actor,
    readonly logId: string,
    readonly withArtifacts: boolean,
  ) {
    super();
  }
}

/**
 * Returns one log with its additions, including every write that was acknowledged before. The handler
 * waits until the row has reached the end of the log's own stream. If the row is still missing then, it
 * returns the log from the stream.
 */
@QueryHandler(ReadLog)
export class ReadLogHandler implements IQueryHandler<ReadLog> {
  constructor(
    @Inject(KEYRING) private readonly keyring: Keyring,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly queries: ReflectiveLogQueries,
    private readonly access: LogAccess,
    private readonly artifacts: LogArtifacts,
  ) {}

  async execute({ actor, logId, withArtifacts }: ReadLog): Promise<JsonObject> {
    const { loaded, written } = await this.access.find(actor, logId);
    const { state, position = 0n } = loaded;
    await this.readModels.reach(position, ['reflective_logs']);
    const row = (await this.queries.find(logId)) ?? rowOf(written, position);
    const shown = { ...rowView(row, this.keyring), ...additionsView(state) };
    return withArtifacts ? { ...shown, artifacts: await this.artifacts.named(written.log) } : shown;
  }
}
