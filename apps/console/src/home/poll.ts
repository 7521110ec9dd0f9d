/** The pause in ms between two looks of the start page. */
export const POLL_MS = 15_000;
