type Ids = readonly string[];

/** JSON of ids, which a list and the longer ones that are made of it share: each has the first `size` bytes. */
interface Written {
  json: Buffer;
  size: number;
}

/**
 * The lists that were written out. A summary names every turn that it stands for (SPEC M11): thousands, of
 * which only the last ones are new, and every answer says them all.
 */
const known = new WeakMap<Ids, { readonly written: Written; readonly size: number }>();

/** What was joined last: an event is folded when it is decided and when it is appended. */
let joined: { readonly first: Ids; readonly more: Ids; readonly ids: Ids } | undefined;

const jsonOf = (ids: Ids): string => JSON.stringify(ids).slice(1, -1);

/** As `JSON.stringify` writes them, without the brackets. */
export function idsJson(ids: Ids): Buffer {
  const { written, size } = known.get(ids) ?? write(ids);
  return written.json.subarray(0, size);
}

/** Both lists as one. */
export function idsAfter(first: Ids, more: Ids): Ids {
  if (joined?.first === first && joined.more === more) return joined.ids;
  const ids = [...first, ...more];
  joined = { first, more, ids };
  goOn(first, more, ids);
  return ids;
}

/** What a list has behind another one that it begins with. */
export function idsSince(first: Ids, ids: Ids): Ids {
  const more = ids.slice(first.length);
  joined = { first, more, ids };
  return more;
}

function write(ids: Ids) {
  const json = Buffer.from(jsonOf(ids));
  const made = { written: { json, size: json.length }, size: json.length };
  known.set(ids, made);
  return made;
}

/** Writes the longer list behind the first one, unless another that was made of it stands there. */
function goOn(first: Ids, more: Ids, ids: Ids): void {
  const before = known.get(first);
  if (before === undefined || before.size === 0 || more.length === 0) return;
  const { written } = before;
  if (written.size !== before.size) return;
  const added = `,${jsonOf(more)}`;
  const size = written.size + Buffer.byteLength(added);
  if (size > written.json.length) {
    const roomier = Buffer.alloc(2 * size);
    written.json.copy(roomier, 0, 0, written.size);
    written.json = roomier;
  }
  written.json.write(added, written.size);
  written.size = size;
  known.set(ids, { written, size });
}
