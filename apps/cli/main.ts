import { Command, CommanderError } from 'commander';
import { MaceArgumentError } from '#client/arguments.js';
import { helpLines, MaceError, MaceUnreachable } from '#client/mace-error.js';
import { UnusableFile } from '#files/regular-file.js';
import { BadConfig } from '#platform/config/bad-config.js';
import manifest from '#package.json' with { type: 'json' };
import { COMMANDS } from './commands.js';
import { CommandFailure, couldNotCheck, EXIT } from './exit-code.js';
import { isIntegrityFailure } from './service/integrity-failure.js';
import { coloursFor } from './terminal/colour.js';

const program = new Command('mace')
  .description('Drives and checks a MACE Memory service.')
  .version(manifest.version)
  .showHelpAfterError('(run mace <command> --help for help)')
  .addHelpText(
    'after',
    `
Exit codes: 0 fine; 1 something is broken (a divergence, tampering, a refused write);
2 it could not be done (service unreachable, file missing, bad usage); 3 data on this disk is damaged;
4 a setting is wrong; 130 interrupted.`,
  )
  .exitOverride();

// A command loads its own modules alone: together they take half a second.
const named = COMMANDS.get(process.argv[2] ?? '');
for (const load of named === undefined ? COMMANDS.values() : [named]) (await load())(program);
for (const command of program.commands.flatMap((each) => [each, ...each.commands]))
  command.exitOverride().showHelpAfterError(true);

const red = coloursFor(process.stderr).red;
const say = (line: string): boolean => process.stderr.write(`${line}\n`);

/** Returns the failure that an error of one of the libraries stands for. */
function knownFailure(error: unknown): CommandFailure | undefined {
  if (error instanceof CommandFailure) return error;
  if (error instanceof MaceArgumentError) return couldNotCheck(error.message);
  if (error instanceof UnusableFile) return couldNotCheck(`${error.message}.`);
  if (error instanceof BadConfig) return new CommandFailure(EXIT.wrongSetting, error.message);
  return undefined;
}

/** Prints the error, with a stack trace only for an internal error, and returns the exit code. */
function exitCodeFor(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.couldNotCheck;
  const known = knownFailure(error);
  if (known !== undefined) {
    say(red(known.message));
    return known.exitCode;
  }
  if (error instanceof MaceError) {
    say(red(error.userMessage));
    say(`${error.code}: ${error.developerMessage}`);
    for (const line of helpLines(error)) say(line);
    say(`trace id: ${error.traceId}`);
    if (error.code === 'UNAUTHENTICATED')
      say('Keep a token that this service accepts: mace login --url <url> --token <token>');
    return isIntegrityFailure(error) ? EXIT.broken : EXIT.couldNotCheck;
  }
  if (error instanceof MaceUnreachable) {
    say(red(error.message));
    say('Is the service running? Start it with: npm start');
    return EXIT.couldNotCheck;
  }
  say(red(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  return EXIT.couldNotCheck;
}

// The program that reads our output may stop early, as in `mace replay --all | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeFor(error);
}
