import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { isSignedBy, type Keyring } from '#domain/reflective-log/signature.js';
import { additionsView } from '#domain/reflective-log/view.js';
import { fieldsOf, rowOf, signatureOf } from '#projections/reflective-logs/log-row.js';
import type { LogRow } from '#projections/reflective-logs/tables.js';
import { ReflectiveLogQueries } from '#projections/reflective-logs/queries.js';
import { readersOf } from '../platform/auth/roles.js';
import { Flag } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import type { ReadModels } from '../platform/read-models.js';
import { KEYRING, READ_MODELS } from '../platform/tokens.js';
import { LogAccess } from './log-access.js';
import { LogArtifacts } from './log-artifacts.js';
import { LogId } from './log-fields.js';
import { LogWithAdditionsDto, type SignedLogDto } from './log-view.js';

/**
 * Returns the view of a log's row in Postgres, including whether its signature matches the row (SPEC L2,
 * L5).
 */
export const rowView = (row: LogRow, keyring: Keyring): SignedLogDto => {
  const fields = fieldsOf(row);
  const signature = signatureOf(row);
  return {
    ...fields,
    signature,
    signature_valid: isSignedBy(fields, signature, keyring),
    origin: row.origin,
  };
};

@Describes({
  summary: 'A log with its additions, and whether its signature is valid',
  roles: readersOf('log'),
  answers: [200, LogWithAdditionsDto],
  fails: ['NOT_FOUND'],
  reads: ['reflective_logs'],
})
export class ReadLog extends ReadRequest<LogWithAdditionsDto> {
  @LogId() id!: string;

  @Flag({
    optional: true,
    description: 'Includes the complete texts of outputs that are stored as artifacts.',
  })
  artifacts?: boolean;
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

  async execute({ actor, id, artifacts = false }: ReadLog): Promise<LogWithAdditionsDto> {
    const { loaded, written } = await this.access.find(actor, id);
    const { state, position = 0n } = loaded;
    await this.readModels.reach(position, ['reflective_logs']);
    const row = (await this.queries.find(id)) ?? rowOf(written, position);
    const shown = { ...rowView(row, this.keyring), ...additionsView(state) };
    return artifacts ? { ...shown, artifacts: await this.artifacts.named(written.log) } : shown;
  }
}
