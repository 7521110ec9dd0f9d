import type { ErrorCode } from './error-table.js';

/**
 * The one error of the product: a code of SPEC §10 and what fills its fixed developer_message.
 * `facts` are names, keys, ids and numbers; never a personal value (SPEC P6).
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly code: ErrorCode,
    readonly facts: Readonly<Record<string, string | number>> = {},
    /** What else the envelope carries, for example `result` of a SEM miss. */
    readonly extra?: Readonly<Record<string, unknown>>,
  ) {
    super(code);
  }
}
