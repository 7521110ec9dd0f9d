import { addsConversationItems } from '../conversation/events.js';
import { canonicalJson } from '../determinism/canonical-json.js';
import { runningSha256 } from '../determinism/hash.js';
import type { DomainEvent } from '../decider.js';
import type { Json, JsonObject } from '../json.js';
import { SEALED_FIELDS } from '../privacy/sealed-in.js';
import { withThreadHolders } from '../thread/events.js';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Replaces the ciphertext of one object that may hold a sealed value by `{sealed: type}`. */
function withoutOwn(holder: Json): Json {
  if (!isObject(holder)) return holder;
  const shown: Record<string, Json> = { ...holder };
  for (const key of SEALED_FIELDS) {
    const sealed = holder[key];
    if (isObject(sealed) && 'jwe' in sealed) shown[key] = { sealed: sealed['type'] ?? null };
  }
  return shown;
}

/** Replaces the ciphertexts in the items of a CWM, or of a conversation's event. */
const withoutItems = (holder: Json | undefined): Json =>
  isObject(holder) && Array.isArray(holder['items'])
    ? { ...holder, items: (holder['items'] as readonly Json[]).map(withoutOwn) }
    : (holder ?? null);

/**
 * Replaces each ciphertext by `{sealed: type}`, because ciphertext differs between runs and its type does not
 * (SPEC X1). Only the places where the rules put a sealed value count: a caller's own JSON with the same form
 * stays as it is, so that it stays part of the hash.
 */
function withoutCiphertext(event: DomainEvent): Json {
  const { type, data } = event;
  const thread = withThreadHolders(event, withoutOwn);
  if (thread !== undefined) return thread;
  const shown = withoutOwn(data) as JsonObject;
  if (type === 'job_started') return { ...shown, carried_cwm: withoutItems(shown['carried_cwm']) };
  if (addsConversationItems(type)) return withoutItems(shown);
  const { payload } = shown;
  if (type !== 'episodic_summary' || !isObject(payload)) return shown;
  return { ...shown, payload: { ...payload, cwm: withoutItems(payload['cwm']) } };
}

/**
 * Computes the sha256 over `JCS({data, type})` and a line feed for every event, after upcasting. The
 * same seed and commands give the same hash everywhere (SPEC X1).
 */
export class ContentHash {
  readonly #hash = runningSha256();

  /** Adds an event; `dataText` is the canonical text of its data. */
  add(event: DomainEvent, dataText: string): void {
    const text = dataText.includes('"jwe"') ? canonicalJson(withoutCiphertext(event)) : dataText;
    this.#hash.update(`{"data":${text},"type":${canonicalJson(event.type)}}\n`);
  }

  digest(): string {
    return this.#hash.copy().digest('hex');
  }
}
