import { readFileSync } from 'node:fs';

/** Reads the `tables.sql` beside a projection's module. */
export const readTables = (moduleUrl: string): string =>
  readFileSync(new URL('./tables.sql', moduleUrl), 'utf8');
