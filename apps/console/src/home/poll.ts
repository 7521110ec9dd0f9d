/** The pause in ms between two looks of the start page at what is in no event, such as the service's health. */
export const POLL_MS = 15_000;
