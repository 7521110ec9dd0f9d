import type { Command } from 'commander';
import { text } from 'node:stream/consumers';
import type { VerifiedSession } from '#client/console.js';
import { MaceClient } from '#client/mace-client.js';
import { newService, type ServiceOptions } from '../service/connection.js';
import { DEFAULT_PROFILE, keepProfile, type Profile } from '../service/profiles.js';
import { printJson } from '../terminal/output.js';
import { mintedToken } from '../token/minted-token.js';

const PROBE = { sub: 'mace-login', roles: ['auditor'], ttl: 60 } as const;

/** `mace login`: keeps a service and a token for later commands. */
export const addLoginCommand = (program: Command): Command =>
  program
    .command('login')
    .summary('keep a service and a token for later commands')
    .description(
      'Asks the service whether it accepts the token, and keeps both as a profile, in a file that only you can read. ' +
        'Without a token, the profile has the URL alone, and each command mints its token with the data directory’s ' +
        'secret, as it does for a service on this machine.',
    )
    .option('--url <url>', 'the service’s URL (default: MACE_URL, else that of the local service)')
    .option(
      '--token <token>',
      'a bearer token; - reads it from standard input (default: MACE_TOKEN)',
    )
    .option('--profile <name>', 'the name of the profile (default: MACE_PROFILE, else default)')
    .option('--json', 'print what was kept as JSON, without the token')
    .addHelpText(
      'after',
      `
A command takes its service and its token from its options, else from MACE_URL and MACE_TOKEN, else from the profile
that MACE_PROFILE names or else 'default', else from the local service. A profile that --profile names comes before
MACE_URL and MACE_TOKEN.

Examples:
  mace login --url https://memory.example --token - < token
  mace login --url http://127.0.0.1:8080 --profile work && mace replay --all --profile work`,
    )
    .action(async ({ url, token, profile, json }: ServiceOptions) => {
      const name = profile ?? (process.env['MACE_PROFILE'] || DEFAULT_PROFILE);
      const given = token === '-' ? (await text(process.stdin)).trim() : token;
      const service = newService({ url, token: given });
      const session = await sessionOf(service);
      const file = await keepProfile(name, service);
      const { url: kept } = service;
      if (json) return printJson({ profile: name, file, url: kept, session: session ?? null });
      const caller = session === undefined ? 'with tokens minted here' : callerWords(session);
      process.stdout.write(`Profile '${name}' has ${kept}, ${caller}. It is in ${file}.\n`);
    });

const callerWords = ({ sub, roles, expires_at }: VerifiedSession): string =>
  `as ${sub} (roles: ${roles.join(', ')}) until ${expires_at}`;

/** Asks the service who the token is; undefined if the profile has none, and a minted one is accepted. */
async function sessionOf({ url, token }: Profile): Promise<VerifiedSession | undefined> {
  const sent = token ?? (await mintedToken(process.env, PROBE));
  const session = await new MaceClient({ baseUrl: url, token: sent, retries: 0 }).console.session();
  return token === undefined ? undefined : session;
}
