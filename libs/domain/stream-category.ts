/** Returns the part of a stream's name before the first `-`; the whole name if it has no `-`. */
export const categoryOf = (stream: string): string => {
  const end = stream.indexOf('-');
  return end < 0 ? stream : stream.slice(0, end);
};
