import type { Command } from 'commander';
import { decodeJwt } from 'jose';
import { MaceClient } from '#client/mace-client.js';
import type { Role } from '#platform/auth/roles.js';
import { CommandFailure, EXIT } from '../exit-code.js';
import { mintedToken } from '../token/minted-token.js';

/** The options of every command that calls a service. */
export interface ServiceOptions {
  readonly url?: string;
  readonly token?: string;
}

export const withServiceOptions = (command: Command): Command =>
  command
    .option(
      '--url <url>',
      'the service’s URL (default: MACE_URL, else HOST and PORT, else http://127.0.0.1:3000)',
    )
    .option(
      '--token <token>',
      'a bearer token (default: MACE_TOKEN, else a token minted with the data directory’s secret)',
    );

const DAY_SECONDS = 86_400;

/** Returns the token that the user gave; undefined if one is to be minted. */
export const givenToken = ({ token }: ServiceOptions): string | undefined =>
  token ?? process.env['MACE_TOKEN'];

interface Claims {
  readonly sub?: string;
  readonly roles?: readonly Role[];
  readonly user_id?: string;
}

/** Returns what a given token says; undefined if none is given or it is not a JWT. The service verifies it. */
export function givenClaims(options: ServiceOptions): Claims | undefined {
  const token = givenToken(options);
  try {
    return token === undefined ? undefined : decodeJwt<Claims>(token);
  } catch {
    return undefined;
  }
}

/** Returns a client that acts as `sub` with these roles and this user, or with the given token. */
export async function connect(
  options: ServiceOptions,
  claims: { sub: string; roles: readonly Role[]; user_id?: string },
  { timeoutMs }: { timeoutMs?: number } = {},
): Promise<MaceClient> {
  const token =
    givenToken(options) ?? (await mintedToken(process.env, { ...claims, ttl: DAY_SECONDS }));
  const patience = timeoutMs === undefined ? {} : { timeoutMs };
  return new MaceClient({ baseUrl: urlOf(options), token, ...patience });
}

export function urlOf({ url }: ServiceOptions): string {
  const port = process.env['PORT'] || '3000';
  const named = process.env['HOST'] || '127.0.0.1';
  const host = ['0.0.0.0', '::'].includes(named) ? '127.0.0.1' : named;
  const given = url ?? (process.env['MACE_URL'] || undefined);
  const text = given ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new CommandFailure(
      url === undefined ? EXIT.wrongSetting : EXIT.couldNotCheck,
      `--url or MACE_URL must begin with http:// or https://; it is ${JSON.stringify(text)}.`,
    );
  return text;
}
