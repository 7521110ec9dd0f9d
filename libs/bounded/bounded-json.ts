export interface JsonBounds {
  /** The maximum depth of lists and objects in each other. */
  readonly maxDepth: number;
  /** The maximum number of values in the text. */
  readonly maxPieces: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
export const opens = (code: number): boolean => code === 0x7b || code === 0x5b;
/** True for the character that closes an object or a list. */
export const closes = (code: number): boolean => code === 0x7d || code === 0x5d;

/** Returns the index of the closing quote of the string that begins at `start`, or the text's length. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/**
 * Parses a JSON text that a service outside sent. Its depth and its pieces are counted before it is parsed.
 * `JSON.parse` keeps the last of two equal keys, so a key repeats if and only if the text has more keys than the value.
 * @throws SyntaxError for a text that is not JSON, exceeds the bounds, or repeats a key
 */
export function parseBounded(text: string, { maxDepth, maxPieces }: JsonBounds): unknown {
  let depth = 0;
  let pieces = 1;
  let keys = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === COLON) keys += 1;
    else if (code === COMMA) pieces += 1;
    else if (closes(code)) depth -= 1;
    else if (opens(code)) {
      depth += 1;
      pieces += 1;
    }
    if (depth > maxDepth) throw new SyntaxError(`the JSON is nested deeper than ${maxDepth}`);
    if (pieces > maxPieces) throw new SyntaxError(`the JSON has more than ${maxPieces} values`);
  }
  const value: unknown = JSON.parse(text);
  if (keysIn(value) !== keys) throw new SyntaxError('the JSON repeats a key');
  return value;
}

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items: unknown[] = Object.values(value);
  return items.reduce<number>(
    (sum, item) => sum + keysIn(item),
    Array.isArray(value) ? 0 : items.length,
  );
}
