/** What `mace` ends with, so that a script can tell "it is broken" from "I could not look". */
export const EXIT = {
  /** Done, and everything is as it should be. */
  fine: 0,
  /** Something is broken: a divergence, tampering, a line or a write that was refused. */
  broken: 1,
  /** It could not be checked or done: service unreachable, file missing, bad usage. */
  couldNotCheck: 2,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with a sentence for the person in front of it, and no stack. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  constructor(
    readonly exitCode: ExitCode,
    message: string,
  ) {
    super(message);
  }
}

/** A file is missing, an option makes no sense, a server is not there. */
export const couldNotCheck = (message: string): CommandFailure =>
  new CommandFailure(EXIT.couldNotCheck, message);
