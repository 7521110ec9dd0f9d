import { canonicalJson } from '../determinism/canonical-json.js';
import { runningSha256 } from '../determinism/hash.js';
import type { DomainEvent } from '../decider.js';
import type { Json, JsonObject } from '../json.js';

const isSealedForm = (value: Json | undefined): value is { jwe: string; type: string } =>
  typeof value === 'object' && value !== null && 'jwe' in value && 'type' in value;

/** Replaces ciphertext, which differs between runs, by `{sealed: type}`, which does not (SPEC X1). */
function withoutCiphertext(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => withoutCiphertext(item));
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, item]) => {
      // A `value` is a caller's own JSON and never contains a sealed form.
      if (key === 'value') return [key, item];
      if ((key === 'sealed' || key === 'sealed_payload') && isSealedForm(item))
        return [key, { sealed: item.type }];
      return [key, withoutCiphertext(item)];
    }),
  );
}

/**
 * sha256 over `JCS({data, type})` and a line feed for every event, after upcasting. The same seed and
 * commands give the same hash everywhere (SPEC X1).
 */
export class ContentHash {
  readonly #hash = runningSha256();

  /** `dataText` is the canonical text of the event's data. */
  add({ type, data }: DomainEvent, dataText: string): void {
    const text = dataText.includes('"jwe"') ? canonicalJson(withoutCiphertext(data)) : dataText;
    this.#hash.update(`{"data":${text},"type":${canonicalJson(type)}}\n`);
  }

  digest(): string {
    return this.#hash.copy().digest('hex');
  }
}
