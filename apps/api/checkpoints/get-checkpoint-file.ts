import { Injectable, StreamableFile } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Readable } from 'node:stream';
import { fileNameOf } from '#checkpoints/place.js';
import { Refusal } from '#domain/errors/refusal.js';
import { CheckpointQueries } from '#projections/checkpoints/queries.js';
import { IdText } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { CheckpointPlaces } from './checkpoint-places.js';
import type { LogCheckpointDto } from './checkpoint-view.js';
import { checkpointOf } from './list-checkpoints.js';

/** Finds checkpoints, and reads their files from the places that keep them. */
@Injectable()
export class CheckpointFiles {
  constructor(
    private readonly checkpoints: CheckpointQueries,
    private readonly places: CheckpointPlaces,
  ) {}

  /** @throws Refusal NOT_FOUND; READ_UNAVAILABLE if no place gives the file as it was made */
  async read(
    id: string,
  ): Promise<{ readonly checkpoint: LogCheckpointDto; readonly bytes: AsyncIterable<Buffer> }> {
    const row = await this.checkpoints.get(id);
    if (row === undefined) throw new Refusal('NOT_FOUND', { what: 'checkpoint of the log', id });
    const checkpoint = checkpointOf(row);
    const bytes = await this.places.read(checkpoint);
    if (bytes !== undefined) return { checkpoint, bytes };
    throw new Refusal('READ_UNAVAILABLE', {
      reason: 'no place gives the file of this checkpoint as it was made',
    }).teaching({
      instead: `Look at the places that GET /v1/integrity/checkpoints names, for the file ${fileNameOf(checkpoint)}.`,
    });
  }
}

@Describes({
  summary: 'The file of a checkpoint of the log',
  roles: { all: ['admin', 'auditor'] },
  answers: {
    content: { 'application/x-ndjson': { schema: { type: 'string', format: 'binary' } } },
  },
  fails: ['NOT_FOUND', 'READ_UNAVAILABLE'],
  reads: ['checkpoints'],
})
export class GetLogCheckpointFile extends ReadRequest<StreamableFile> {
  @IdText() checkpoint_id!: string;
}

@QueryHandler(GetLogCheckpointFile)
export class GetLogCheckpointFileHandler implements IQueryHandler<GetLogCheckpointFile> {
  constructor(private readonly files: CheckpointFiles) {}

  async execute({ checkpoint_id }: GetLogCheckpointFile): Promise<StreamableFile> {
    const { checkpoint, bytes } = await this.files.read(checkpoint_id);
    return new StreamableFile(Readable.from(bytes), {
      type: 'application/x-ndjson; charset=utf-8',
      disposition: `attachment; filename="${fileNameOf(checkpoint)}"`,
      length: checkpoint.bytes,
    });
  }
}
