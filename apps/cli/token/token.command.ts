import { type Command, InvalidArgumentError, Option } from 'commander';
import { ROLES, type Role } from '#platform/auth/roles.js';
import { printJson } from '../terminal/output.js';
import { mintedToken } from './minted-token.js';

interface TokenOptions {
  readonly role: readonly Role[];
  readonly sub: string;
  readonly userId?: string;
  readonly ttl: number;
  readonly json?: boolean;
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

function secondsOf(text: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  if (match === null)
    throw new InvalidArgumentError(
      'The value must be a number followed by s, m, h or d, such as 12h.',
    );
  return Number(match[1]) * UNITS[match[2]!]!;
}

const nameOf = (text: string): string => {
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
};

/** `mace token`: prints a bearer token for the service of this data directory, and nothing else. */
export const addTokenCommand = (program: Command): Command =>
  program
    .command('token')
    .summary('print a bearer token for the service of this data dir')
    .description(
      'Prints a bearer token and nothing else. It is signed with MACE_JWT_SECRET or, if that is not set, ' +
        'with the secret that the service made in MACE_DATA_DIR (.mace) at its first start.',
    )
    .addOption(
      new Option('--role <role...>', 'what the token may do').choices(ROLES).makeOptionMandatory(),
    )
    .requiredOption('--sub <id>', 'who acts: jobs and sessions belong to it', nameOf)
    .option('--user-id <id>', 'the user that the token acts for', nameOf)
    .option('--ttl <time>', 'the lifetime, such as 90m, 12h, 30d', secondsOf, UNITS['d']! * 30)
    .option('--json', 'print {"token": …}')
    .addHelpText(
      'after',
      `
Example:
  TOKEN=$(mace token --role agent --sub my-agent)
  curl -H "authorization: Bearer $TOKEN" -X POST http://127.0.0.1:3000/v1/jobs`,
    )
    .action(async ({ role, sub, userId, ttl, json }: TokenOptions) => {
      const token = await mintedToken(process.env, { sub, roles: role, user_id: userId, ttl });
      if (json) printJson({ token });
      else process.stdout.write(`${token}\n`);
    });
