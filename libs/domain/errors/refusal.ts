import type { ErrorCode, ErrorFacts, FactsOf } from './error-table.js';
import type { Teaching } from './help.js';

type Extra = Readonly<Record<string, unknown>>;

/**
 * The constructor's arguments: a code, the facts for its developer_message, and extra fields for the
 * envelope and the log line.
 */
export type RefusalArguments = {
  [Code in ErrorCode]: [ErrorFacts[Code]] extends [never]
    ? [code: Code, facts?: FactsOf<Code>, extra?: Extra, logged?: Extra]
    : [code: Code, facts: FactsOf<Code>, extra?: Extra, logged?: Extra];
}[ErrorCode];

/**
 * The product's only error type: a code of SPEC §10 and the facts for its fixed developer_message.
 * `facts` are names, keys, ids and numbers; never a personal value (SPEC P6).
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly facts: Readonly<Record<string, string | number>>;
  /** Extra fields of the envelope, for example `result` for a missing fact. */
  extra: Extra | undefined;
  /** Extra fields of the log line; never personal data (SPEC F3). */
  readonly logged: Extra;
  /** How the caller can put the request right. */
  help: Teaching = {};
  /** True if an erasure is the reason; the developer_message then says so. */
  isBesideErasure = false;

  constructor(...[code, facts, extra, logged]: RefusalArguments) {
    super(code);
    this.code = code;
    this.facts = facts ?? {};
    this.extra = extra;
    this.logged = logged ?? {};
  }

  /**
   * Notes which command of a batch is refused, and returns what to throw.
   * @param command_index from 0; undefined without a batch
   */
  static ofCommand(cause: unknown, command_index: number | undefined): unknown {
    if (cause instanceof Refusal && command_index !== undefined)
      cause.extra = { ...cause.extra, command_index };
    return cause;
  }

  /** Adds to what the answer teaches. */
  teaching(help: Teaching): this {
    this.help = { ...this.help, ...help };
    return this;
  }

  /** Notes the error below this one; the log line shows its stack without its message. */
  causedBy(cause: unknown): this {
    this.cause = cause;
    return this;
  }
}
