import manifest from '#package.json' with { type: 'json' };

/** The product's version, as package.json has it. */
export const VERSION = manifest.version;

/** `system_version` of log lines (SPEC F3). */
export const SYSTEM_VERSION = `mace-${VERSION}`;
