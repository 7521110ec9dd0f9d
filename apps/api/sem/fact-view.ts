import type { Json } from '#domain/json.js';
import type { Fact } from '#projections/sem/queries.js';

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
