import type { Json, JsonObject } from '#domain/json.js';
import {
  FLAG,
  INSTANT,
  JSON_OBJECT,
  JSON_VALUE,
  many,
  orNull,
  Shown,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';

/** A stable fact (SPEC S1). */
export class FactDto {
  @Shown({ type: 'boolean', enum: [true] })
  readonly exists!: true;

  @Shown(JSON_VALUE)
  readonly value!: Json;

  @Shown(TEXT, { description: '`user`, `system` or `agent:<id>`.' })
  readonly source!: string;

  @Shown(INSTANT)
  readonly last_updated!: string;

  @Shown(orNull(TEXT))
  readonly notes!: string | null;

  @Shown(orNull(JSON_OBJECT))
  readonly meta!: JsonObject | null;

  @Shown(WHOLE, { description: 'The number of the fact’s event in its stream.' })
  readonly version!: number;
}

export class ListedFactDto extends FactDto {
  @Shown(TEXT)
  readonly key!: string;
}

export class FactsPageDto {
  @Shown(many(ListedFactDto), { description: 'In byte order of their keys.' })
  readonly facts!: readonly ListedFactDto[];

  @Shown(orNull(TEXT))
  readonly next_cursor!: string | null;
}

/** A snapshot that a job pinned, with one page of its facts. */
export class SemSnapshotDto extends FactsPageDto {
  @Shown(TEXT)
  readonly sem_snapshot_id!: string;

  @Shown(TEXT)
  readonly sem_snapshot_hash!: string;

  @Shown(WHOLE, { description: 'The number of SEM events that the snapshot covers, in log order.' })
  readonly sem_event_count!: number;

  @Shown(TEXT)
  readonly first_job_seed!: string;
}

/** The answer to a put or a deletion. */
export class FactWrittenDto {
  @Shown(TEXT)
  readonly key!: string;

  @Shown(INSTANT)
  readonly timestamp!: string;

  @Shown(TEXT)
  readonly source!: string;

  @Shown(WHOLE, { description: 'The number of the event in the fact’s stream.' })
  readonly version!: number;

  @Shown(FLAG, {
    description:
      'Whether the fact already has a later timestamp; if so, the write changes only the history.',
  })
  readonly superseded!: boolean;
}

export class KeyDto {
  @Shown(TEXT)
  readonly key!: string;

  @Shown(FLAG, { description: 'Whether the title owns the key.' })
  readonly claimed!: boolean;
}

export class ResolvedAliasDto {
  @Shown(orNull(TEXT))
  readonly key!: string | null;
}
