/** Saves a JSON value as a file on the reader's machine, without a request. */
export const downloadJson = (name: string, value: unknown): void =>
  download(name, new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' }));

/** Saves lines as a file, after they have all arrived. */
export async function downloadLines(name: string, lines: AsyncIterable<string>): Promise<void> {
  const arrived: string[] = [];
  for await (const line of lines) arrived.push(`${line}\n`);
  download(name, new Blob(arrived, { type: 'application/x-ndjson' }));
}

function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
