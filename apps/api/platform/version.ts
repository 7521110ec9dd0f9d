import { readFileSync } from 'node:fs';

const { version } = JSON.parse(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
) as { version: string };

/** The product's version, as package.json has it. */
export const VERSION = version;

/** `system_version` of log lines (SPEC F3). */
export const SYSTEM_VERSION = `mace-${version}`;
