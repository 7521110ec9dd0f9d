import { readFileSync } from 'node:fs';

/** The `tables.sql` that stands beside a projection's module. */
export const readTables = (moduleUrl: string): string =>
  readFileSync(new URL('./tables.sql', moduleUrl), 'utf8');
