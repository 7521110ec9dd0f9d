import { expect } from '@jest/globals';

/** Matchers for the ids, hashes and times in answers, events and log lines. */
export const HASH: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);
export const UUID: unknown = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
export const INSTANT: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const TRACE_ID: unknown = expect.stringMatching(/^[0-9a-f]{32}$/);
