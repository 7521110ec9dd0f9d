/** Saves a JSON value as a file on the reader's machine, without a request. */
export const downloadJson = (name: string, value: unknown): void =>
  saveFile(name, [`${JSON.stringify(value, null, 2)}\n`], 'application/json');

/** Saves texts, one after the other, as a file on the reader's machine, without a request. */
export function saveFile(name: string, texts: readonly string[], type: string): void {
  const url = URL.createObjectURL(new Blob([...texts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
