/** A part of a comparison: kept, taken out, or put in. */
export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Larger middles are shown as removed and added as a whole, so that no value blocks the page. */
const MAX_CELLS = 4_000_000;

/** Compares two texts by lines, or by words if both have one line. */
export function diffOf(before: string, after: string): DiffPart[] {
  const byWord = !before.includes('\n') && !after.includes('\n');
  const split = (text: string): string[] =>
    byWord ? text.split(/(?<=\s)/) : text.split(/(?<=\n)/);
  return joined(comparedPieces(split(before), split(after)));
}

/** Compares two lists of texts. The result has a part for each of them. */
export function comparedPieces(before: readonly string[], after: readonly string[]): DiffPart[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [
    ...partsOf('same', before.slice(0, start)),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...partsOf('same', before.slice(before.length - end)),
  ];
}

const partsOf = (kind: DiffPart['kind'], pieces: readonly string[]): DiffPart[] =>
  pieces.map((text) => ({ kind, text }));

/** Keeps the longest common subsequence. */
function middle(before: readonly string[], after: readonly string[]): DiffPart[] {
  const width = after.length + 1;
  if ((before.length + 1) * width > MAX_CELLS)
    return [...partsOf('removed', before), ...partsOf('added', after)];
  const lengths = commonLengths(before, after);
  const parts: DiffPart[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, next] = [before[row], after[column]];
    const down = lengths[(row + 1) * width + column] ?? 0;
    const right = lengths[row * width + column + 1] ?? 0;
    if (old !== undefined && old === next) {
      parts.push({ kind: 'same', text: old });
      row += 1;
      column += 1;
    } else if (old !== undefined && (next === undefined || down >= right)) {
      parts.push({ kind: 'removed', text: old });
      row += 1;
    } else if (next !== undefined) {
      parts.push({ kind: 'added', text: next });
      column += 1;
    }
  }
  return parts;
}

/** Returns, for each pair of places, the length of the longest common subsequence from there on. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint16Array {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      lengths[at] =
        before[row] === after[column]
          ? lengths[at + width + 1]! + 1
          : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
  return lengths;
}

/** Joins neighbours of one kind. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const result: DiffPart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (last?.kind === part.kind)
      result[result.length - 1] = { kind: part.kind, text: last.text + part.text };
    else result.push(part);
  }
  return result;
}
