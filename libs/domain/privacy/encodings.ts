import { BASE64_RUN, inBase64 } from './features.js';
import { copyView, originalSpan, ViewWriter, type TextView } from './text-view.js';

const PERCENT = /(?:%[0-9a-f]{2})+/gi;
const LINE_BREAK = /^\r?\n/;
const PART = /[A-Za-z0-9+]{10,}={0,2}/g;
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });
const LATIN1 = new TextDecoder('latin1');
const NOT_TEXT = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/;

/** Decodes the URL-encoded bytes of the view as UTF-8. Returns undefined if the view has no such bytes (SPEC P2). */
export function percentDecoded(view: TextView): TextView | undefined {
  if (!view.text.includes('%')) return undefined;
  const writer = new ViewWriter();
  let done = 0;
  for (const { 0: piece, index } of view.text.matchAll(PERCENT)) {
    copyView(writer, view, done, index);
    decodeBytes(writer, view, piece, index);
    done = index + piece.length;
  }
  if (done === 0) return undefined;
  copyView(writer, view, done, view.text.length);
  return writer.view();
}

/** Decodes one UTF-8 character at a time. A byte that is not valid UTF-8 becomes the character with its code. */
function decodeBytes(writer: ViewWriter, view: TextView, piece: string, index: number): void {
  const bytes = Uint8Array.from(piece.slice(1).split('%'), (digits) => parseInt(digits, 16));
  for (let at = 0; at < bytes.length;) {
    const length = utf8Length(bytes[at] as number);
    const text = UTF8.decode(bytes.subarray(at, at + length));
    const taken = text.includes('\ufffd') ? 1 : length;
    const end = Math.min(at + taken, bytes.length);
    const span = originalSpan(view, index + 3 * at, index + 3 * end);
    writer.add(taken === 1 ? String.fromCharCode(bytes[at] as number) : text, ...span);
    at = end;
  }
}

const utf8Length = (lead: number): number => {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
};

/**
 * Returns the base64-encoded texts of the view, one per line, or undefined if the view has none (SPEC P2). Every
 * decoded character maps to its whole base64 piece, because a redaction cannot cut out a part of a piece.
 */
export function base64Decoded(view: TextView): TextView | undefined {
  const writer = new ViewWriter();
  let found = false;
  for (const { text, start, end } of base64Texts(view.text)) {
    writer.add(`${text}\n`, ...originalSpan(view, start, end));
    found = true;
  }
  return found ? writer.view() : undefined;
}

interface Decoded {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function* base64Texts(text: string): Generator<Decoded> {
  for (const [start, end] of base64Pieces(text)) {
    const piece = text.slice(start, end);
    const whole = decodedPiece(piece);
    if (whole !== undefined) {
      yield { text: whole, start, end };
      continue;
    }
    const among = textAmongBytes(piece);
    if (among !== undefined) yield { text: among, start, end };
    // If the piece as a whole does not decode to text, a path or a name may stand directly before the base64.
    if (/[/_\n-]/.test(piece)) yield* partsOf(piece, start);
  }
}

/** Yields the long runs of base64 characters. Consecutive lines of base64 are one piece. */
export function* base64Pieces(text: string): Generator<readonly [start: number, end: number]> {
  let start = 0;
  let line = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (inBase64(text.charCodeAt(at))) continue;
    const isLong = at - line >= BASE64_RUN;
    const lineBreak = isLong ? LINE_BREAK.exec(text.slice(at, at + 2)) : null;
    if (lineBreak) {
      line = at + lineBreak[0].length;
      at = line - 1;
      continue;
    }
    // A short line after long ones does not belong to the piece: the piece ends before the line break
    // that precedes the short line.
    const end = isLong ? at : line - 1;
    if (end - start >= BASE64_RUN) yield [start, end + paddingAt(text, end)];
    start = line = at + 1;
  }
}

const paddingAt = (text: string, at: number): number => {
  if (text[at] !== '=') return 0;
  return text[at + 1] === '=' ? 2 : 1;
};

function* partsOf(piece: string, index: number): Generator<Decoded> {
  for (const { 0: part, index: offset } of piece.matchAll(PART)) {
    const text = decodedPiece(part);
    const start = index + offset;
    if (text !== undefined) yield { text, start, end: start + part.length };
  }
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Indexed by character code: the six bits of a base64 or base64url character, -1 for any other character. */
const SIX_BITS: readonly number[] = Array.from({ length: 128 }, (_, code) =>
  BASE64.indexOf(String.fromCharCode(code).replace('-', '+').replace('_', '/')),
);

const bitsAt = (piece: string, at: number): number => SIX_BITS[piece.charCodeAt(at)] as number;

/** Decodes the bytes of a piece, skipping line breaks and padding. */
export function base64Bytes(piece: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((piece.length * 3) / 4));
  let size = 0;
  let bits = 0;
  let count = 0;
  for (let at = 0; at < piece.length; at += 1) {
    const six = bitsAt(piece, at);
    if (six < 0) continue;
    bits = ((bits << 6) | six) & 0xfff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[size] = bits >> count;
    size += 1;
  }
  return bytes.subarray(0, size);
}

const isPrintable = (byte: number): boolean =>
  (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d;

/**
 * Returns the number of bytes that follow the first byte of a UTF-8 character; -1 if the byte cannot
 * begin printable text.
 */
function bytesAfter(byte: number): number {
  if (byte < 0x80) return isPrintable(byte) ? 0 : -1;
  if (byte < 0xc2 || byte > 0xf4) return -1;
  if (byte < 0xe0) return 1;
  return byte < 0xf0 ? 2 : 3;
}

/** True if the first six decoded bytes can be UTF-8 text. This cheap check rejects most plain words. */
function beginsLikeText(piece: string): boolean {
  let continuationBytes = 0;
  for (let number = 0; number < 6; number += 1) {
    const at = Math.floor((number * 4) / 3);
    const shift = 2 * (number % 3) + 2;
    const bits = (bitsAt(piece, at) << 6) | bitsAt(piece, at + 1);
    const byte = (bits >> (6 - shift)) & 0xff;
    const continues = (byte & 0xc0) === 0x80;
    if (continuationBytes > 0 !== continues) return false;
    continuationBytes = continues ? continuationBytes - 1 : bytesAfter(byte);
    if (continuationBytes < 0) return false;
  }
  return true;
}

/** U+0000 as JSON escapes it: a text with it hides what stands between such characters from the rules. */
const ESCAPED_NUL = '\\u0000';

/** True if bytes are printable UTF-8 text, which the rules can read. */
export function isReadable(bytes: Uint8Array): boolean {
  const text = UTF8.decode(bytes);
  return !NOT_TEXT.test(text) && !text.includes(ESCAPED_NUL);
}

/** The shortest text among other bytes that is read: the bytes of UTF-16 are twice as many. */
const TEXT_RUN = 8;
const AMONG_LENGTH = 12;
const PRINTABLE_RUNS = new RegExp(`[\\x20-\\x7e]{${TEXT_RUN},}`, 'g');

/**
 * Returns the printable texts among the bytes of a piece, one per line, or undefined if there are none. They are read
 * once with NUL as a separator and once without NUL, as in UTF-16.
 */
function textAmongBytes(piece: string): string | undefined {
  if (piece.length < AMONG_LENGTH) return undefined;
  const text = LATIN1.decode(base64Bytes(piece));
  const views = text.includes('\0') ? [text, text.replaceAll('\0', '')] : [text];
  const runs = views.flatMap((view) => view.match(PRINTABLE_RUNS) ?? []);
  return runs.length === 0 ? undefined : runs.join('\n');
}

function decodedPiece(piece: string): string | undefined {
  if (!beginsLikeText(piece)) return undefined;
  const text = UTF8.decode(base64Bytes(piece));
  return NOT_TEXT.test(text) ? undefined : text;
}
