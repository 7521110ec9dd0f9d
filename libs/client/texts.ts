/** What no store holds: U+0000, and halves of surrogate pairs without the other one. */
const UNCARRIABLE =
  /\u0000|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Returns a text with U+FFFD in place of each character that cannot be stored, and how many there were. */
export function carriableText(text: string): { readonly text: string; readonly replaced: number } {
  let replaced = 0;
  const carried = text.replace(UNCARRIABLE, () => {
    replaced += 1;
    return '\uFFFD';
  });
  return { text: carried, replaced };
}

/** Returns the beginning of a text and an ellipsis, at most `length` characters, and how many are missing. */
export function cutText(
  text: string,
  length: number,
): { readonly text: string; readonly cut: number } {
  if (text.length <= length) return { text, cut: 0 };
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(length - 2));
  const kept = text.slice(0, splitsPair ? length - 2 : length - 1);
  return { text: `${kept}…`, cut: text.length - kept.length };
}
