/** Exit codes of `mace`. A script can tell "the check failed" from "the check could not run". */
export const EXIT = {
  /** The command succeeded and found no problem. */
  fine: 0,
  /** The command found a problem: a divergence, tampering, or a line or write that was refused. */
  broken: 1,
  /** The command could not run: the service is unreachable, a file is missing, or the usage is wrong. */
  couldNotCheck: 2,
  /** Ctrl-C stopped the command. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with a message for the user, without a stack trace. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  constructor(
    readonly exitCode: ExitCode,
    message: string,
  ) {
    super(message);
  }
}

/** For a missing file, a wrong option, or an unreachable server. */
export const couldNotCheck = (message: string): CommandFailure =>
  new CommandFailure(EXIT.couldNotCheck, message);
