/** Returns the later of two positions. Undefined means a position before the log's first event. */
export const laterOf = (
  left: bigint | undefined,
  right: bigint | undefined,
): bigint | undefined => {
  if (left === undefined || right === undefined) return left ?? right;
  return left > right ? left : right;
};
