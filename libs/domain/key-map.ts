const BUCKETS = 256;

/**
 * An immutable map from keys to values, ids by default, divided into buckets. A change copies only the list of buckets
 * and one bucket.
 */
export type KeyMap<Value = string> = readonly (readonly (readonly [key: string, value: Value])[])[];

const EMPTY: KeyMap<never> = new Array<readonly []>(BUCKETS).fill([]);

export const noKeys = <Value = string>(): KeyMap<Value> => EMPTY;

/** Returns a key's bucket by the hash FNV-1a over its UTF-16 code units. */
function bucketOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1)
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % BUCKETS;
}

export const keyed = <Value>(map: KeyMap<Value>, key: string): Value | undefined =>
  map[bucketOf(key)]?.find(([known]) => known === key)?.[1];

export function withKey<Value>(map: KeyMap<Value>, key: string, value: Value): KeyMap<Value> {
  const bucket = bucketOf(key);
  const others = (map[bucket] ?? []).filter(([known]) => known !== key);
  return map.with(bucket, [...others, [key, value]]);
}

/** Returns the map without the key if it has that value; otherwise returns the same map. */
export function withoutKey<Value>(map: KeyMap<Value>, key: string, value: Value): KeyMap<Value> {
  if (keyed(map, key) !== value) return map;
  const bucket = bucketOf(key);
  return map.with(
    bucket,
    (map[bucket] ?? []).filter(([known]) => known !== key),
  );
}

export const keyEntries = <Value>(
  map: KeyMap<Value>,
): readonly (readonly [key: string, value: Value])[] => map.flat();
