// The programs in a page of the documentation: its fenced blocks whose info string names a file.
import { readFileSync } from 'node:fs';

const BLOCK = /^```\w+ file=(\S+)\n(.*?)^```$/gms;

// Returns the programs of a page, by the file that the info string names, such as "js file=chat.mjs".
export const programsOf = (page) =>
  new Map(
    [...readFileSync(page, 'utf8').matchAll(BLOCK)].map(([, file, program]) => [file, program]),
  );
