import { isSealed } from '#domain/held.js';
import type { Json } from '#domain/json.js';
import type { Fact } from '#projections/sem/queries.js';

/** Returns the answer to a read of a fact (SPEC S1). A sealed value becomes `[REDACTED:<type>]`. */
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
