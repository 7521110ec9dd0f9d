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

/** Returns JSON whose texts and names can be stored, and how many characters were replaced. */
export function carriableJson<Value>(value: Value): {
  readonly value: Value;
  readonly replaced: number;
} {
  let replaced = 0;
  const textOf = (text: string): string => {
    const carried = carriableText(text);
    replaced += carried.replaced;
    return carried.text;
  };
  const jsonOf = (json: unknown): unknown => {
    if (typeof json === 'string') return textOf(json);
    if (typeof json !== 'object' || json === null) return json;
    if (Array.isArray(json)) return json.map(jsonOf);
    return Object.fromEntries(
      Object.entries(json).map(([name, entry]) => [textOf(name), jsonOf(entry)]),
    );
  };
  return { value: jsonOf(value) as Value, replaced };
}
