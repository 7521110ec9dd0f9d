const LINE_NUMBER_WIDTH = 6;
const CONTEXT_LINES = 2;
const KIB = 1024;

/** Returns lines with their numbers, the first of which is `start`. */
export const numbered = (lines: readonly string[], start = 1): string =>
  lines
    .map(
      (line, index) =>
        `${String(index + start).padStart(LINE_NUMBER_WIDTH)}\t${line.replace(/\r$/, '')}`,
    )
    .join('\n');

/** Returns the lines around a changed part of a text, with their numbers. */
export function snippetOf(text: string, firstLine: number, changedLines: number): string {
  const lines = text.split('\n');
  const start = Math.max(1, firstLine - CONTEXT_LINES);
  return numbered(lines.slice(start - 1, firstLine - 1 + changedLines + CONTEXT_LINES), start);
}

/** Returns the number of the line in which a place of a text is. */
export const lineAt = (text: string, place: number): number =>
  text.slice(0, place).split('\n').length;

/** Returns the places at which a part occurs; none for an empty part. */
export function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  if (part === '') return places;
  for (
    let place = text.indexOf(part);
    place !== -1;
    place = text.indexOf(part, place + part.length)
  )
    places.push(place);
  return places;
}

/** Returns a size for people, such as `512B`, `1.5K` or `1.2M`. */
export function sizeOf(bytes: number): string {
  if (bytes < KIB) return `${bytes}B`;
  const [size, unit] = bytes < KIB * KIB ? [bytes / KIB, 'K'] : [bytes / (KIB * KIB), 'M'];
  return `${size.toFixed(1)}${unit}`;
}

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Returns a text with the line ends of another one. */
export const withLineEndsOf = (other: string, text: string): string =>
  other.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text;
