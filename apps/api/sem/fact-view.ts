import { isSealed } from '#domain/held.js';
import type { Json } from '#domain/json.js';
import type { Fact } from '#projections/sem/queries.js';

/** What a read of a fact answers (SPEC S1). A sealed value is shown as such, never opened here. */
export const factView = ({ held, source, timestamp, notes, meta, revision }: Fact) =>
  ({
    exists: true,
    value: isSealed(held) ? `[REDACTED:${held.sealed.type}]` : held.value,
    source,
    last_updated: timestamp,
    notes,
    meta,
    version: revision,
  }) as const satisfies Json;
