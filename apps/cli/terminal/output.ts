/** Prints the one JSON document of a command with `--json`. */
export const printJson = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
};

/** Returns a number with its noun, such as `1 event` or `1,204 events`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** Returns a duration as text, such as `0.8 s` or `3 min 12 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
