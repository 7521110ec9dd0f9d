/** Returns the category of a stream, which is the part of its name before the first `-`. */
export const categoryOf = (stream: string): string => stream.replace(/-.*$/s, '');
