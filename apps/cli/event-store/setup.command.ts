import { type Command, InvalidArgumentError } from 'commander';
import { randomBytes } from 'node:crypto';
import { BadConnectionString } from '#event-store/connection-string.js';
import { CommandFailure, couldNotCheck, EXIT } from '../exit-code.js';
import { printJson } from '../terminal/output.js';

interface SetupOptions {
  readonly url?: string;
  readonly user: string;
  readonly group: string;
  readonly newPassword?: boolean;
  readonly json?: boolean;
}

/** The environment variables of this command; the service reads neither. */
export const ADMIN_URL = 'MACE_EVENTSTORE_ADMIN_URL';
export const USER_PASSWORD = 'MACE_EVENTSTORE_USER_PASSWORD';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const OWN_USERS: ReadonlySet<string> = new Set(['admin', 'ops']);
const LEAST_PASSWORD = 12;
const PASSWORD_BYTES = 24;
/** The placeholder for the password in a printed connection string. */
const PLACEHOLDER = 'PASSWORD';

function nameOf(text: string): string {
  if (!NAME.test(text))
    throw new InvalidArgumentError(
      'It must be 1 to 64 letters, digits, dots, hyphens or underscores, and begin with a letter or digit.',
    );
  return text;
}

function userOf(text: string): string {
  if (OWN_USERS.has(text))
    throw new InvalidArgumentError('The server made this user for its administrators.');
  return nameOf(text);
}

/** `mace event-store setup`: makes the user with which the service connects. */
export const addSetupCommand = (program: Command): Command =>
  program
    .command('setup')
    .summary('make a user with the rights that the service needs')
    .description(
      'Makes a user and its group on an EventStoreDB or KurrentDB, which may read $all, and read and write ' +
        'streams, but delete nothing. It keeps the rights that others were given by name; a second run changes ' +
        'nothing. The rights are those of all streams without rights of their own, so use a server that ' +
        'holds nothing else.',
    )
    .option(
      '--url <url>',
      `the connection string of a member of $admins (default: ${ADMIN_URL}, which other users of the machine cannot see)`,
    )
    .requiredOption('--user <name>', 'the user that the service connects as', userOf)
    .option('--group <name>', 'the group that has the rights', nameOf, 'mace')
    .option('--new-password', 'replace the password of a user that exists')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      `
The user's password is ${USER_PASSWORD}, or else one that is made and printed once.

Example:
  read -rs ${USER_PASSWORD} && export ${USER_PASSWORD}
  ${ADMIN_URL}='esdb://admin:secret@node-1:2113?tlsCAFile=ca.crt' mace event-store setup --user mace`,
    )
    .action(async (options: SetupOptions) => {
      const url = options.url ?? process.env[ADMIN_URL];
      if (!url)
        throw couldNotCheck(
          `Name the event store with --url or ${ADMIN_URL}, as a member of $admins.`,
        );
      const given = givenPassword(process.env[USER_PASSWORD]);
      await setUp(url, given, options);
    });

function givenPassword(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (text.length < LEAST_PASSWORD)
    throw new CommandFailure(
      EXIT.wrongSetting,
      `${USER_PASSWORD} must have at least ${LEAST_PASSWORD} characters.`,
    );
  return text;
}

async function setUp(
  url: string,
  given: string | undefined,
  { user, group, newPassword: setsPassword = false, json }: SetupOptions,
): Promise<void> {
  // The client is loaded only here, because importing it above would slow down every other command.
  const { asUser, setUpUser, SetUpRefused } = await import('#event-store/rights/set-up-user.js');
  const password = given ?? randomBytes(PASSWORD_BYTES).toString('base64url');
  const triesPassword = given !== undefined;
  try {
    const options = { url, user, group, password, setsPassword, triesPassword };
    const { changes, hasSetPassword } = await setUpUser(options);
    const made = given === undefined && hasSetPassword ? password : undefined;
    const connection_string = asUser(url, `${user}:${PLACEHOLDER}`);
    if (json) printJson({ user, group, changes, password: made, connection_string });
    else print(changes, made, connection_string);
  } catch (error) {
    if (error instanceof BadConnectionString)
      throw couldNotCheck(
        `The connection string of the administrator cannot be used: ${error.message}`,
      );
    if (!(error instanceof SetUpRefused)) throw error;
    throw new CommandFailure(EXIT_OF[error.kind], error.message);
  }
}

const EXIT_OF = {
  user: EXIT.broken,
  setting: EXIT.wrongSetting,
  outage: EXIT.couldNotCheck,
} as const;

function print(
  changes: readonly string[],
  made: string | undefined,
  connectionString: string,
): void {
  for (const sentence of changes) console.log(sentence);
  if (changes.length === 0)
    console.log(
      'Nothing was changed: the user has its rights already. --new-password replaces its password, if nobody knows it.',
    );
  if (made !== undefined) console.log(`\nThe password, which is shown only now:\n  ${made}`);
  console.log(`
Next, start the service with this connection string, with the password (URL-encoded) for ${PLACEHOLDER}:
  MACE_EVENTSTORE_URL='${connectionString}'`);
}
