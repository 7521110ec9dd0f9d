import type { Json, JsonObject } from '../json.js';
import { base64Bytes, base64Pieces, isReadable } from './encodings.js';
import { isList } from './scan-json.js';

/** The fewest whole numbers from 0 to 255 that count as bytes: shorter lists are counts and marks. */
const LISTED_BYTES = 16;
const INDEXED_BYTES = 4;
/** A shorter piece of base64 without padding or `+` is more often an id. */
const SURE_LENGTH = 64;
const SHORTEST = 24;

/** Names of fields whose text is bytes in base64. */
const BYTES_FIELD = /base_?64|b64|bytes|binary|buffer|blob/i;
const WHOLE_BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const DATA_URL = /base64,$/i;

const isByte = (value: Json): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;

/** True for an object as `JSON.stringify` writes a Uint8Array, with the keys 0, 1, 2 …, or a Buffer. */
function isByteObject(value: JsonObject): boolean {
  const { type, data } = value;
  if (type === 'Buffer' && data !== undefined && isList(data)) return data.every(isByte);
  const entries = Object.entries(value);
  return (
    entries.length >= INDEXED_BYTES &&
    entries.every(([key, item], place) => key === String(place) && isByte(item))
  );
}

/** True for a random mixture of letters and digits. A word, a path and a hash in hex are not. */
const isMixed = (piece: string): boolean =>
  /[a-z]/.test(piece) && /[A-Z]/.test(piece) && /\d/.test(piece);

/** @param isWhole true if the piece is the whole text: in a longer one, `+` stands for a space in a URL */
function isOpaque(piece: string, isWhole: boolean): boolean {
  const isMarked =
    piece.endsWith('=') || piece.length >= SURE_LENGTH || (isWhole && piece.includes('+'));
  return isMarked && isMixed(piece) && !isReadable(base64Bytes(piece));
}

function holdsOpaqueText(text: string, field: string): boolean {
  if (BYTES_FIELD.test(field) && WHOLE_BASE64.test(text)) return !isReadable(base64Bytes(text));
  if (text.length < SHORTEST) return false;
  for (const [start, end] of base64Pieces(text)) {
    const piece = text.slice(start, end);
    if (DATA_URL.test(text.slice(0, start)) && !isReadable(base64Bytes(piece))) return true;
    if (piece.length >= SHORTEST && isOpaque(piece, piece === text)) return true;
  }
  return false;
}

/**
 * True if a value holds bytes that nobody can read as text, so that no rule can tell what they contain: in base64, as
 * a list of numbers, or as JSON writes a Uint8Array or a Buffer. @param field the name of the field that contains the
 * value
 */
export function holdsBytes(value: Json, field = ''): boolean {
  if (typeof value === 'string') return holdsOpaqueText(value, field);
  if (typeof value !== 'object' || value === null) return false;
  if (isList(value)) {
    const areBytes = value.length >= LISTED_BYTES && value.every(isByte);
    return areBytes || value.some((item) => holdsBytes(item, field));
  }
  return (
    isByteObject(value) || Object.entries(value).some(([name, item]) => holdsBytes(item, name))
  );
}
