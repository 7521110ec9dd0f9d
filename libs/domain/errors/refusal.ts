import type { ErrorCode, ErrorFacts, FactsOf } from './error-table.js';

type Extra = Readonly<Record<string, unknown>>;

/** A code with what its developer_message needs, and what else the envelope and the log line carry. */
export type RefusalArguments = {
  [Code in ErrorCode]: [ErrorFacts[Code]] extends [never]
    ? [code: Code, facts?: FactsOf<Code>, extra?: Extra, logged?: Extra]
    : [code: Code, facts: FactsOf<Code>, extra?: Extra, logged?: Extra];
}[ErrorCode];

/**
 * The one error of the product: a code of SPEC §10 and what fills its fixed developer_message.
 * `facts` are names, keys, ids and numbers; never a personal value (SPEC P6).
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly facts: Readonly<Record<string, string | number>>;
  /** What else the envelope carries, for example `result` of a SEM miss. */
  readonly extra: Extra | undefined;
  /** What else its log line carries; nothing personal (SPEC F3). */
  readonly logged: Extra;

  constructor(...[code, facts, extra, logged]: RefusalArguments) {
    super(code);
    this.code = code;
    this.facts = facts ?? {};
    this.extra = extra;
    this.logged = logged ?? {};
  }
}
