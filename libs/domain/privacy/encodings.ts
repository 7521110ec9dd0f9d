import { copyView, originalSpan, ViewWriter, type TextView } from './text-view.js';

const PERCENT = /(?:%[0-9a-f]{2})+/gi;
const BASE64_PIECE = /[A-Za-z0-9+/_-]{10,}={0,2}(?:\r?\n[A-Za-z0-9+/_-]{10,}={0,2})*/g;
const PART = /[A-Za-z0-9+]{10,}={0,2}/g;
const NO_TEXT = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/;

/** The view with its URL-encoded bytes read as UTF-8, or undefined where it has none (SPEC P2). */
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

/** One character of UTF-8 at a time; a byte that begins none stands for itself. */
function decodeBytes(writer: ViewWriter, view: TextView, piece: string, index: number): void {
  const bytes = Buffer.from(piece.replaceAll('%', ''), 'hex');
  for (let at = 0; at < bytes.length;) {
    const length = utf8Length(bytes[at] as number);
    const text = bytes.toString('utf8', at, at + length);
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

/** The texts that stand in base64 in the view, each with the piece it stands in (SPEC P2). */
export function* base64Decoded(view: TextView): Generator<TextView> {
  for (const { 0: piece, index } of view.text.matchAll(BASE64_PIECE)) {
    const whole = decodePiece(view, piece, index);
    if (whole) yield whole;
    // A piece that is no text as a whole can be glued to a path or a name in front of it.
    else if (/[/_\n-]/.test(piece)) {
      for (const { 0: part, index: offset } of piece.matchAll(PART)) {
        const decoded = decodePiece(view, part, index + offset);
        if (decoded) yield decoded;
      }
    }
  }
}

const SIX_BITS = new Int8Array(128).fill(-1);
[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].forEach((digit, bits) => {
  SIX_BITS[digit.charCodeAt(0)] = bits;
});
SIX_BITS['-'.charCodeAt(0)] = 62;
SIX_BITS['_'.charCodeAt(0)] = 63;

const bitsAt = (piece: string, at: number): number => SIX_BITS[piece.charCodeAt(at)] ?? -1;

const canBeText = (byte: number): boolean =>
  (byte >= 0x20 && byte !== 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d;

/** Most words end here: their first six bytes, read as base64, are no text. */
function beginsLikeText(piece: string): boolean {
  for (let at = 0; at < 8; at += 4) {
    const [a, b] = [bitsAt(piece, at), bitsAt(piece, at + 1)];
    const [c, d] = [bitsAt(piece, at + 2), bitsAt(piece, at + 3)];
    if (!canBeText((a << 2) | (b >> 4))) return false;
    if (!canBeText(((b & 15) << 4) | (c >> 2))) return false;
    if (!canBeText(((c & 3) << 6) | d)) return false;
  }
  return true;
}

function decodePiece(view: TextView, piece: string, index: number): TextView | undefined {
  if (!beginsLikeText(piece)) return undefined;
  const bytes = Buffer.from(piece, 'base64');
  const text = bytes.toString('utf8');
  if (NO_TEXT.test(text)) return undefined;
  const writer = new ViewWriter();
  // Every character of it stands for the whole piece: what is inside cannot be cut out of the outside.
  writer.add(text, ...originalSpan(view, index, index + piece.length));
  return writer.view();
}
