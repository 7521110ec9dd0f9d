import { type Command, Option } from 'commander';
import { MaceClient } from '#client/mace-client.js';
import { MaceUnreachable } from '#client/mace-error.js';
import { serveMemoryOverStdio } from '#mcp/stdio.js';
import { ROLES, type Role } from '#platform/auth/roles.js';
import { couldNotCheck } from '../exit-code.js';
import manifest from '#package.json' with { type: 'json' };
import {
  givenClaims,
  givenToken,
  saySource,
  type ServiceOptions,
  urlOf,
  withServiceOptions,
} from '../service/connection.js';
import { mintedToken } from '../token/minted-token.js';

type Claims = Omit<Parameters<typeof mintedToken>[1], 'ttl'>;

const HOUR_SECONDS = 3_600;
const HALF_AN_HOUR_MS = 1_800_000;

/** Returns a function that mints a token for an hour, and a new one when half of it is over. */
function renewedToken(claims: Claims): () => Promise<string> {
  let token: Promise<string> | undefined;
  let mintedAt = 0;
  return () => {
    if (token === undefined || Date.now() - mintedAt > HALF_AN_HOUR_MS) {
      mintedAt = Date.now();
      token = mintedToken(process.env, { ...claims, ttl: HOUR_SECONDS });
    }
    return token;
  };
}

interface McpOptions extends ServiceOptions {
  readonly role: Role;
  readonly sub: string;
  readonly userId?: string;
}

/** `mace mcp`: serves the memory of a running service to an MCP host, over standard input and output. */
export const addMcpCommand = (program: Command): Command =>
  withServiceOptions(
    program
      .command('mcp')
      .summary('serve the memory to an MCP host, such as an editor or a chat program')
      .description(
        'Serves the memory of a running service over standard input and output, in the Model Context Protocol. An ' +
          'MCP host starts this command; docs/mcp.md has the line of configuration for each host. Standard output ' +
          'carries the protocol alone; everything else goes to standard error.',
      )
      .addOption(
        new Option('--role <role>', 'what the minted token may do').choices(ROLES).default('agent'),
      )
      .option('--sub <id>', 'who acts: jobs and notes belong to it', 'mcp')
      .option('--user-id <id>', 'the user that the minted token acts for'),
  )
    .addHelpText(
      'after',
      `
--role, --sub and --user-id describe the minted token; a given token has its own. The tools that review proposals
exist only for the role council.

Examples:
  mace mcp --user-id mira
  MACE_TOKEN=… mace mcp --url https://memory.example
  mace mcp --role council --sub reviewer-1`,
    )
    .action(async (options: McpOptions) => {
      const given = givenToken(options);
      const url = urlOf(options);
      const { role, sub, userId } = options;
      const token = given ?? renewedToken({ sub, roles: [role], user_id: userId });
      const client = new MaceClient({ baseUrl: url, token });
      // Without keys nothing is asked, so their error is not that of a service.
      if (typeof token === 'function') await token();
      saySource(options, { sub, roles: [role], user_id: userId });
      await requireService(url, token);
      serveMemoryOverStdio(
        {
          client,
          roles: given === undefined ? [role] : rolesOf(options),
          version: manifest.version,
        },
        (error) => process.stderr.write(`${error.message}\n`),
      );
    });

/** Fails unless a service answers at the URL and accepts the token. */
async function requireService(
  url: string,
  token: ConstructorParameters<typeof MaceClient>[0]['token'],
): Promise<void> {
  const client = new MaceClient({ baseUrl: url, token, retries: 0 });
  try {
    await client.jobs.list({ limit: 1 }, { consistency: 'eventual' });
  } catch (error) {
    if (!(error instanceof MaceUnreachable)) throw error;
    throw couldNotCheck(
      `${error.message}\nmace mcp needs a running service. Start one with: npm start\n` +
        'For a service elsewhere, give its address with --url or MACE_URL.',
    );
  }
}

/** Returns the roles of the given token. The service verifies them; here they only choose the tools. */
function rolesOf(options: ServiceOptions): readonly string[] {
  const claims = givenClaims(options);
  if (claims === undefined) throw couldNotCheck('The given token is not a JWT.');
  return Array.isArray(claims.roles) ? claims.roles.map(String) : [];
}
