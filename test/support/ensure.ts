import { expect } from '@jest/globals';

/** Expects a condition as `expect` does, and tells the compiler: what follows may rely on it. */
export function ensure(condition: unknown): asserts condition {
  expect(condition).toBeTruthy();
}
