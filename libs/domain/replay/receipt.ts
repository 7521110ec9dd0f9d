import { uncarriable } from '../determinism/canonical-json.js';
import { chainHash } from '../determinism/hash-chain.js';
import type { Json, JsonObject } from '../json.js';
import type { RecordedEvent } from '../recorded-event.js';
import { isEventLine, isHeader, isObject, parseLine } from './bundle.js';
import type { SignatureProblem } from './bundle-suspect.js';

/** How a receipt of a request's event, of another stream's event, and of an erasure, names itself. */
export const REQUEST_RECEIPT = 'mace-receipt-1';
export const STREAM_RECEIPT = 'mace-receipt-2';
export const ERASURE_RECEIPT = 'mace_erasure_receipt';

/** The fields of a signed document. The signature covers the canonical JSON of all other fields. */
export type Signed = {
  readonly key_id: string;
  readonly public_key: string;
  readonly signature: string;
};

/** An event with the hash of the event before it, so that its own hash follows (SPEC I6). */
type SignedEvent = Signed & {
  readonly prev: string;
  readonly event: RecordedEvent & { readonly position: string };
};
export type RequestReceipt = SignedEvent & {
  readonly document: typeof REQUEST_RECEIPT;
  readonly request_id: string;
};
export type StreamReceipt = SignedEvent & { readonly document: typeof STREAM_RECEIPT };
export type EventReceipt = RequestReceipt | StreamReceipt;

/** What an erasure destroyed (SPEC G6). It names its event, and does not contain it. */
export type ErasureReceipt = Signed & {
  readonly kind: typeof ERASURE_RECEIPT;
  readonly request_id: string;
  readonly subject: string;
  readonly erased_at: string;
  readonly event: {
    readonly stream: string;
    readonly number: number;
    readonly position: string;
    readonly hash: string;
  };
};

export type Receipt = EventReceipt | ErasureReceipt;

/** The most bytes of a receipt: an event of at most 900 KiB, each of its characters escaped. */
export const MAX_RECEIPT_BYTES = 8 * 1024 * 1024;

export type ReceiptProblem =
  /** The text is larger than a receipt can be. */
  | 'too_large'
  /** The text is not one JSON document: it was cut off, or bytes of it were changed. */
  | 'not_whole'
  /** A field stands there twice, so two readers could see different values. */
  | 'repeated_field'
  /** The document lacks a field, or has one of another form. */
  | 'not_a_receipt'
  /** The document is of a later version, which this release cannot check. */
  | 'later_version'
  /** The hash of the event does not follow from the event and `prev`. */
  | 'wrong_hash'
  | Exclude<SignatureProblem, 'unsigned'>;

export interface ReceiptReport {
  /** The document, if it has the form of a receipt. */
  readonly receipt?: Receipt;
  /** The first problem. */
  readonly problem?: ReceiptProblem;
}

export const isEventReceipt = (receipt: Receipt): receipt is EventReceipt => 'document' in receipt;

/** The id of the request that a receipt is about; null for one of another stream. */
export const requestOf = (receipt: Receipt): string | null =>
  'request_id' in receipt ? receipt.request_id : null;

/** The read of personal data that a receipt is about (SPEC G7); undefined for a receipt of something else. */
export function accessOf(
  receipt: EventReceipt,
): { readonly sub: string; readonly stream: string; readonly reason: string | null } | undefined {
  const { type, data, metadata } = receipt.event;
  const { stream, reason } = data;
  return type === 'admin_access_event' && typeof stream === 'string'
    ? { sub: metadata.actor, stream, reason: typeof reason === 'string' ? reason : null }
    : undefined;
}

const NAMES_ITSELF = /"document"\s*:\s*"mace-receipt-|"kind"\s*:\s*"mace_erasure_receipt"/;
const VERSION = 'mace-receipt-';
const EVENT_RECEIPTS: readonly (Json | undefined)[] = [REQUEST_RECEIPT, STREAM_RECEIPT];
const MAX_DEPTH = 200;

/** True for a text that says that it is a receipt, also if it was cut off; never for a bundle. */
export function claimsToBeReceipt(text: string): boolean {
  const [firstLine = ''] = text.split('\n', 1);
  return NAMES_ITSELF.test(text) && !isHeader(parseLine(firstLine)?.value ?? null);
}

/** Checks the form of a receipt and the hash of its event. The caller checks the signature after it. */
export function readReceipt(text: string): ReceiptReport {
  if (text.length > MAX_RECEIPT_BYTES) return { problem: 'too_large' };
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return { problem: 'not_whole' };
  }
  if (uncarriable(value, MAX_DEPTH) !== undefined) return { problem: 'not_a_receipt' };
  if (fieldsOf(value) !== fieldsIn(text)) return { problem: 'repeated_field' };
  if (!isReceipt(value))
    return { problem: isOfLaterVersion(value) ? 'later_version' : 'not_a_receipt' };
  return isEventReceipt(value) && hashOf(value) !== value.event.metadata.hash
    ? { receipt: value, problem: 'wrong_hash' }
    : { receipt: value };
}

const hashOf = ({ prev, event: { position: _, ...event } }: EventReceipt): string =>
  chainHash(prev, event);

/** Counts the names of fields in a value. */
function fieldsOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce<number>((sum, each) => sum + fieldsOf(each), 0);
  return Array.isArray(value) ? inside : inside + Object.keys(value).length;
}

/** Counts the names of fields in a JSON text, also those that a parser drops because they stand there twice. */
function fieldsIn(text: string): number {
  let fields = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isInText = !isInText;
    else if (isInText && character === '\\') at += 1;
    else if (!isInText && character === ':') fields += 1;
  }
  return fields;
}

const hasTexts = (value: JsonObject, ...names: readonly string[]): boolean =>
  names.every((name) => typeof value[name] === 'string');

function isReceipt(value: Json): value is Json & Receipt {
  if (!isObject(value) || !isObject(value['event'])) return false;
  if (!hasTexts(value, 'key_id', 'public_key', 'signature')) return false;
  const { event } = value;
  if (EVENT_RECEIPTS.includes(value['document'])) {
    const { position, ...rest } = event;
    const isWhole = value['document'] === STREAM_RECEIPT || hasTexts(value, 'request_id');
    return isWhole && hasTexts(value, 'prev') && typeof position === 'string' && isEventLine(rest);
  }
  return (
    value['kind'] === ERASURE_RECEIPT &&
    hasTexts(value, 'request_id', 'subject', 'erased_at') &&
    hasTexts(event, 'stream', 'position', 'hash') &&
    Number.isSafeInteger(event['number'])
  );
}

const isOfLaterVersion = (value: Json): boolean =>
  isObject(value) &&
  typeof value['document'] === 'string' &&
  value['document'].startsWith(VERSION) &&
  !EVENT_RECEIPTS.includes(value['document']);
