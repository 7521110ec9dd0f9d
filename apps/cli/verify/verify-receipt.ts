import { stat } from 'node:fs/promises';
import {
  accessOf,
  claimsToBeReceipt,
  isEventReceipt,
  MAX_RECEIPT_BYTES,
  readReceipt,
  type Receipt,
  type ReceiptProblem,
  requestOf,
} from '#domain/replay/receipt.js';
import { readRegular } from '#files/regular-file.js';
import { signatureProblem } from '#platform/signing/bundle-signature.js';
import { couldNotCheck } from '../exit-code.js';

/** The result of an offline check of a receipt (docs/action-requests.md). */
export interface ReceiptVerification {
  readonly file: string;
  readonly intact: boolean;
  readonly request_id: string | null;
  /** The event that the receipt is about. */
  readonly event: {
    readonly stream: string;
    readonly number: number;
    readonly position: string;
    readonly hash: string;
  } | null;
  /** Names the event of the receipt, such as `event 3 (vote_cast)`, or what it erased; null if the receipt is broken. */
  readonly proves: string | null;
  readonly key_id: string | null;
  /** True if the reader named the keys to trust, and one of them signed the receipt. */
  readonly pinned: boolean;
  readonly finding: { readonly problem: ReceiptProblem; readonly sentence: string } | null;
}

const SAYS: Readonly<Record<Exclude<ReceiptProblem, 'later_version'>, string>> = {
  too_large: 'is larger than a receipt can be',
  not_whole: 'is not one JSON document: it was cut off, or edited',
  repeated_field: 'has a field twice, so two readers could see different values',
  not_a_receipt: 'lacks a field of a receipt, or has one of another form',
  wrong_hash: 'was edited: the hash of its event does not follow from what it says',
  wrong_signature: 'was edited: its signature is not valid for what it says',
  other_key: 'is signed by a key that is not among the given ones',
};

/**
 * Returns the text of a file that says that it is a receipt, else undefined. A file with the name of a bundle, a
 * larger one and a pipe, which can be read only once, are bundles.
 */
export async function receiptText(file: string): Promise<string | undefined> {
  if (file.endsWith('.ndjson')) return undefined;
  const found = await stat(file);
  if (!found.isFile() || found.size > MAX_RECEIPT_BYTES) return undefined;
  const text = (await readRegular(file, MAX_RECEIPT_BYTES)).toString('utf8');
  return claimsToBeReceipt(text) ? text : undefined;
}

/** Verifies a receipt: its form, the hash of its event, and its signature. */
export async function verifyReceipt(
  file: string,
  text: string,
  keys?: ReadonlySet<string>,
): Promise<ReceiptVerification> {
  const { receipt, problem: found } = readReceipt(text);
  if (found === 'later_version')
    throw couldNotCheck(
      `${file} is a receipt of a later version, which this release cannot check.`,
    );
  const problem = found ?? (receipt && (await signatureProblem(receipt, keys)));
  const intact = problem === undefined;
  return {
    file,
    intact,
    request_id: receipt === undefined ? null : requestOf(receipt),
    event: receipt === undefined ? null : eventOf(receipt),
    proves: receipt === undefined || !intact ? null : subjectOf(receipt),
    key_id: receipt?.key_id ?? null,
    pinned: intact && keys !== undefined,
    finding: problem === undefined ? null : { problem, sentence: `the receipt ${SAYS[problem]}` },
  };
}

function eventOf(receipt: Receipt) {
  if (!isEventReceipt(receipt)) return receipt.event;
  const { stream, number, position, metadata } = receipt.event;
  return { stream, number, position, hash: metadata.hash };
}

function subjectOf(receipt: Receipt): string {
  if (!isEventReceipt(receipt)) return `the erasure of ${receipt.subject}`;
  const access = accessOf(receipt);
  const { number, type, metadata } = receipt.event;
  const event = `event ${number} (${type}) of ${metadata.recorded_at}`;
  if (access === undefined) return event;
  const reason = access.reason === null ? '' : `, because of “${access.reason}”`;
  return `${event}: ${access.sub} read ${access.stream} unredacted${reason}`;
}
