const BUCKETS = 256;

/**
 * An immutable map from keys to ids, divided into buckets. A change copies only the list of buckets and
 * one bucket.
 */
export type KeyMap = readonly (readonly (readonly [key: string, id: string])[])[];

export const NO_KEYS: KeyMap = new Array<readonly []>(BUCKETS).fill([]);

/** Returns a key's bucket by the hash FNV-1a over its UTF-16 code units. */
function bucketOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1)
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % BUCKETS;
}

export const keyed = (map: KeyMap, key: string): string | undefined =>
  map[bucketOf(key)]?.find(([known]) => known === key)?.[1];

export function withKey(map: KeyMap, key: string, id: string): KeyMap {
  const bucket = bucketOf(key);
  const others = (map[bucket] ?? []).filter(([known]) => known !== key);
  return map.with(bucket, [...others, [key, id]]);
}

/** Returns the map without the key if the key belongs to that id; otherwise returns the same map. */
export function withoutKey(map: KeyMap, key: string, id: string): KeyMap {
  if (keyed(map, key) !== id) return map;
  const bucket = bucketOf(key);
  return map.with(
    bucket,
    (map[bucket] ?? []).filter(([known]) => known !== key),
  );
}

export const keyEntries = (map: KeyMap): readonly (readonly [key: string, id: string])[] =>
  map.flat();
