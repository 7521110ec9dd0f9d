import { canonicalSize } from '../determinism/canonical-json.js';
import { Refusal } from '../errors/refusal.js';
import type { JsonObject } from '../json.js';

/** Maximum characters of a query's text (SPEC A1). */
export const MAX_QUERY_CHARACTERS = 16_000;
/** The maximum canonical bytes of context tags, which are stored in events and in the log line of a miss. */
const TAG_BYTES = 4 * 1024;

/** Checks a query. @throws Refusal INVALID_INPUT for a blank or too long text, and for too large tags. */
export function checkQuery(query_text: string, context_tags: JsonObject): void {
  const reason =
    query_text.trim() === '' || query_text.length > MAX_QUERY_CHARACTERS
      ? `query_text: 1 to ${MAX_QUERY_CHARACTERS} characters, not all of them blank`
      : canonicalSize(context_tags) > TAG_BYTES
        ? `context_tags: at most ${TAG_BYTES} bytes are allowed`
        : undefined;
  if (reason !== undefined) throw new Refusal('INVALID_INPUT', { reason });
}
