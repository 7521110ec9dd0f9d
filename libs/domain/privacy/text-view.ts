import type { Slices } from '../slices.js';

/**
 * A text as the recognisers read it, with a map to the original text: character `i` of `text` comes from
 * `[starts[i], ends[i])` of the original. Without the map, `text` is the original.
 */
export interface TextView {
  readonly text: string;
  readonly starts?: Uint32Array;
  readonly ends?: Uint32Array;
}

/** Builds a view piece by piece. */
export class ViewWriter {
  private readonly pieces: string[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];

  /** Adds a piece. Each of its characters maps to the whole of `[start, end)`. */
  add(piece: string, start: number, end: number): void {
    this.pieces.push(piece);
    for (let at = 0; at < piece.length; at += 1) {
      this.starts.push(start);
      this.ends.push(end);
    }
  }

  view(): TextView {
    return {
      text: this.pieces.join(''),
      starts: Uint32Array.from(this.starts),
      ends: Uint32Array.from(this.ends),
    };
  }
}

/** Returns the span in the original text that a piece of a view comes from. */
export function originalSpan(view: TextView, start: number, end: number): [number, number] {
  if (!view.starts || !view.ends) return [start, end];
  return [view.starts[start] ?? 0, view.ends[end - 1] ?? 0];
}

/**
 * Matches any character that the folding below may change. The folding never changes ASCII characters or
 * the letters and quotes that are listed here.
 */
const NEEDS_FOLDING =
  /[^\0-\x7f\xc0-\xd6\xd8-\xf6\xf8-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e\u0391-\u03a1\u03a3-\u03a9\u03b1-\u03c9\u0400-\u0482\u048a-\u052f\u0621-\u064a\u2018\u2019\u201c\u201d\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]/;
/** Matches a character that the folding may change, with its combining marks. */
const FOLDED = /[\0-\x7f]\p{M}{1,30}|[^\0-\x7f]\p{M}{0,30}/gu;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const DASH = /[\p{Pd}\u2212]/gu;
const SPACE = /\p{Zs}/gu;
const FULL_STOP = /\u3002/g;
const DIGIT = /[^\0-\x7f]/gu;
const DECIMAL = /^\p{Nd}$/u;

/**
 * Returns the ASCII digit for a decimal digit of any script. Unicode has the digits of each script in
 * order from 0 to 9.
 */
function asciiDigit(character: string): string {
  if (!DECIMAL.test(character)) return character;
  const codePoint = character.codePointAt(0) ?? 0;
  let zero = codePoint;
  while (codePoint - zero < 9 && DECIMAL.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(codePoint - zero);
}

/** Matches what the folding below changes in a text that is in NFKC already. */
const CHANGED = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Pd}\u2212\p{Zs}\u3002\p{Nd}]/u;

const SEGMENTS_IN_SLICE = 500;

function folded(segment: string): string {
  const composed = segment.replace(INVISIBLE, '').normalize('NFKC');
  return CHANGED.test(composed) ? foldedFurther(composed) : composed;
}

const foldedFurther = (composed: string): string =>
  composed
    .replace(INVISIBLE, '')
    .replace(DASH, '-')
    .replace(SPACE, ' ')
    .replace(FULL_STOP, '.')
    .replace(DIGIT, asciiDigit);

/**
 * Returns the view in NFKC, without invisible characters, and with one form for dashes, spaces and
 * digits (SPEC P2). A view whose text needs no change is returned as it is.
 */
export function* normalizedView(view: TextView): Slices<TextView> {
  if (!NEEDS_FOLDING.test(view.text)) return view;
  const writer = new ViewWriter();
  const known = new Map<string, string>();
  let done = 0;
  let segments = 0;
  for (const { 0: segment, index } of view.text.matchAll(FOLDED)) {
    segments += 1;
    if (segments % SEGMENTS_IN_SLICE === 0) yield;
    copyView(writer, view, done, index);
    done = index + segment.length;
    const piece = known.get(segment) ?? folded(segment);
    // Long segments are rare, and would fill the memory.
    if (segment.length <= 2) known.set(segment, piece);
    writer.add(piece, ...originalSpan(view, index, done));
  }
  copyView(writer, view, done, view.text.length);
  return writer.view();
}

/** Copies the part `[from, to)` of a view unchanged. */
export function copyView(writer: ViewWriter, view: TextView, from: number, to: number): void {
  for (let at = from; at < to; at += 1) {
    writer.add(view.text[at] as string, ...originalSpan(view, at, at + 1));
  }
}
