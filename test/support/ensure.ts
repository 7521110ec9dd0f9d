import { expect } from 'expect';

/** Fails the test if the condition is falsy, and narrows the type for the compiler. */
export function ensure(condition: unknown): asserts condition {
  expect(condition).toBeTruthy();
}
