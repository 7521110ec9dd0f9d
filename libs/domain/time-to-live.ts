/** The longest time to live in seconds: ten years. */
export const MAX_TTL_SECONDS = 315_360_000;

const SECOND_MS = 1_000;

/** Returns the time so many seconds after another one; both are ISO 8601 in UTC. */
export const afterSeconds = (at: string, seconds: number): string =>
  new Date(Date.parse(at) + seconds * SECOND_MS).toISOString();
