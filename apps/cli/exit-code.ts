/** The exit codes of `mace`. With them a script can distinguish “the check failed” from “the check could not run”. */
export const EXIT = {
  /** The command succeeded and found no problem. */
  fine: 0,
  /** The command found a problem: a divergence, tampering, or a line or write that was refused. */
  broken: 1,
  /** The command could not run: the service cannot be reached, a file is missing, or the arguments are wrong. */
  couldNotCheck: 2,
  /** Data on this disk is damaged. */
  damaged: 3,
  /** A setting is wrong, or a server refuses one, such as a password; it stays so until a person changes it. */
  wrongSetting: 4,
  /** Ctrl-C stopped the command. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Thrown to end a command with a message for the user and no stack trace. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  constructor(
    readonly exitCode: ExitCode,
    message: string,
  ) {
    super(message);
  }
}

/** Makes the failure for a missing file, a wrong option or a service that cannot be reached. */
export const couldNotCheck = (message: string): CommandFailure =>
  new CommandFailure(EXIT.couldNotCheck, message);
