/** Returns the number of letters to add, drop, replace or swap with their neighbour, so that one text becomes the other. */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped =
        row > 1 &&
        column > 1 &&
        from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1];
      next.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    beforeLast = last;
    last = next;
  }
  return last[to.length] ?? 0;
}

/** The most letters by which a text of this length can differ from the one that was meant. */
export const slipsOf = (text: string): number => Math.min(3, Math.floor(text.length / 3));

/** Returns a name with `_` before each capital letter and in place of `-`, so that `userId` is like `user_id`. */
const snakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();

/** True if one name is the other with more words, as `seed` and `job_seed`. */
const isPartOf = (part: string, whole: string): boolean =>
  whole.startsWith(`${part}_`) || whole.endsWith(`_${part}`);

function distanceOf(asked: string, known: string): number {
  const distance = editDistance(asked, known);
  if (distance <= slipsOf(known)) return distance;
  // A longer name is less like the one that was meant than a misspelt one.
  return isPartOf(asked, known) || isPartOf(known, asked) ? slipsOf(known) + 1 : Infinity;
}

/** Returns the known name that was probably meant by an unknown one; undefined if none is like it. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const asked = snakeCase(name);
  let nearest: string | undefined;
  let least = Infinity;
  for (const each of known) {
    const distance = distanceOf(asked, snakeCase(each));
    if (distance >= least) continue;
    least = distance;
    nearest = each;
  }
  return nearest;
}
