import type { WriteStream } from 'node:tty';

/** Colours for a terminal; plain text everywhere else, and if NO_COLOR is set. */
export interface Colours {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const wrap =
  (open: number, close: number, on: boolean) =>
  (text: string): string =>
    on ? `\u001b[${open}m${text}\u001b[${close}m` : text;

export function coloursFor(stream: Pick<WriteStream, 'isTTY'>): Colours {
  const on = stream.isTTY === true && (process.env['NO_COLOR'] ?? '') === '';
  return {
    bold: wrap(1, 22, on),
    dim: wrap(2, 22, on),
    red: wrap(31, 39, on),
    green: wrap(32, 39, on),
    yellow: wrap(33, 39, on),
    cyan: wrap(36, 39, on),
  };
}
