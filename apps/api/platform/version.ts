import manifest from '#package.json' with { type: 'json' };

/** The product's version from package.json. */
export const VERSION = manifest.version;

/** `system_version` of log lines (SPEC F3). */
export const SYSTEM_VERSION = `mace-${VERSION}`;
