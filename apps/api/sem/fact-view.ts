import type { Json, JsonObject } from '#domain/json.js';
import type { Fact } from '#projections/sem/queries.js';
import {
  FLAG,
  INSTANT,
  JSON_OBJECT_OR_NULL,
  JSON_VALUE,
  many,
  one,
  orNull,
  ApiField,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';
import { ApprovedByDto } from './fact-history-view.js';

class FactFields {
  @ApiField({ type: 'boolean', enum: [true] }) readonly exists!: true;
  @ApiField(JSON_VALUE) readonly value!: Json;

  @ApiField(TEXT, { description: '`user`, `system` or `agent:<id>`.' })
  readonly source!: string;

  @ApiField(INSTANT) readonly last_updated!: string;
  @ApiField(orNull(TEXT)) readonly notes!: string | null;
  @ApiField(JSON_OBJECT_OR_NULL) readonly meta!: JsonObject | null;

  @ApiField(WHOLE, { description: 'The number of the fact’s event in its stream.' })
  readonly version!: number;
}

/** A stable fact (SPEC S1). */
export class FactDto extends FactFields {
  @ApiField(one(ApprovedByDto), {
    optional: true,
    description: 'Missing if nobody approved it, and while the log cannot be read.',
  })
  readonly approved_by?: ApprovedByDto;
}

export class ListedFactDto extends FactFields {
  @ApiField(TEXT) readonly key!: string;
}

export class FactsPageDto {
  @ApiField(many(ListedFactDto), { description: 'In byte order of their keys.' })
  readonly facts!: readonly ListedFactDto[];

  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;
}

/** A snapshot that a job pinned, with one page of its facts. */
export class SemSnapshotDto extends FactsPageDto {
  @ApiField(TEXT) readonly sem_snapshot_id!: string;
  @ApiField(TEXT) readonly sem_snapshot_hash!: string;

  @ApiField(WHOLE, {
    description: 'The number of SEM events that the snapshot covers, in log order.',
  })
  readonly sem_event_count!: number;

  @ApiField(TEXT) readonly first_job_seed!: string;
}

/** The answer to a put or a deletion. */
export class FactWrittenDto {
  @ApiField(TEXT) readonly key!: string;
  @ApiField(INSTANT) readonly timestamp!: string;
  @ApiField(TEXT) readonly source!: string;

  @ApiField(WHOLE, { description: 'The number of the event in the fact’s stream.' })
  readonly version!: number;

  @ApiField(FLAG, {
    description:
      'Whether the fact already has a later timestamp; if so, the write changes only the history.',
  })
  readonly superseded!: boolean;
}

export class KeyDto {
  @ApiField(TEXT) readonly key!: string;

  @ApiField(FLAG, { description: 'Whether the title owns the key.' })
  readonly claimed!: boolean;
}

export class ResolvedAliasDto {
  @ApiField(orNull(TEXT)) readonly key!: string | null;
}

/** Returns the answer to a read of a fact (SPEC S1). @param value the fact's value as the caller may see it */
export const factView = ({ source, timestamp, notes, meta, revision }: Fact, value: Json) =>
  ({
    exists: true,
    value,
    source,
    last_updated: timestamp,
    notes,
    meta,
    version: revision,
  }) as const satisfies Json;
