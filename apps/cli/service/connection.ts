import type { Command } from 'commander';
import { decodeJwt } from 'jose';
import { MaceClient } from '#client/mace-client.js';
import type { Role } from '#platform/auth/roles.js';
import { dataDirOf } from '#platform/config/service-config.js';
import { CommandFailure, EXIT } from '../exit-code.js';
import { mintedToken } from '../token/minted-token.js';
import { DEFAULT_PROFILE, type Profile, profileNamed, profiles } from './profiles.js';

/** The options of every command that calls a service. */
export interface ServiceOptions {
  readonly url?: string;
  readonly token?: string;
  readonly profile?: string;
  /** If true, the command says nothing beside its result. */
  readonly json?: boolean;
}

export const withServiceOptions = (command: Command): Command =>
  command
    .option(
      '--url <url>',
      'the service’s URL (default: MACE_URL, else the profile’s, else HOST and PORT, else http://127.0.0.1:3000)',
    )
    .option(
      '--token <token>',
      'a bearer token (default: MACE_TOKEN, else the profile’s, else one minted with the data directory’s secret)',
    )
    .option(
      '--profile <name>',
      'the profile of mace login, in place of MACE_URL and MACE_TOKEN (default: MACE_PROFILE, else default)',
    );

const DAY_SECONDS = 86_400;

/** A place that may name a service and a token. */
interface Source {
  readonly name: string;
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly isProfile?: true;
}

/** The service of a command, and the token that was given for it; undefined if one is to be minted. */
interface FoundService {
  readonly url: string;
  readonly urlFrom: Source | undefined;
  readonly token: string | undefined;
  readonly tokenFrom: Source | undefined;
}

/** Returns the service and the token of a command: the first of its options, the environment, the profile and here. */
function serviceOf(options: ServiceOptions): FoundService {
  const sources = sourcesOf(options);
  const urlFrom = sources.find(({ url }) => url !== undefined);
  const url = checked(urlFrom?.url ?? localUrl(), urlFrom);
  // The token of a profile is for the profile's service alone.
  const tokenFrom = sources.find(
    (source) => source.token !== undefined && (!source.isProfile || isSame(source.url, url)),
  );
  return { url, urlFrom, token: tokenFrom?.token, tokenFrom };
}

const isSame = (left: string | undefined, right: string): boolean =>
  left !== undefined && new URL(left).href === new URL(right).href;

function sourcesOf({ url, token, profile }: ServiceOptions): readonly Source[] {
  const flags = { name: token === undefined ? '--url' : '--token', url, token };
  if (profile !== undefined) return [flags, ofProfile(profile, profileNamed(profile))];
  const { MACE_URL, MACE_TOKEN, MACE_PROFILE } = process.env;
  const environment = {
    name: MACE_TOKEN ? 'MACE_TOKEN' : 'MACE_URL',
    // A token of the environment is never sent to the service of a profile.
    url: MACE_URL || (MACE_TOKEN ? localUrl() : undefined),
    token: MACE_TOKEN || undefined,
  };
  const named = MACE_PROFILE || DEFAULT_PROFILE;
  const kept = MACE_PROFILE ? profileNamed(MACE_PROFILE) : profiles().get(DEFAULT_PROFILE);
  return [flags, environment, ...(kept === undefined ? [] : [ofProfile(named, kept)])];
}

const ofProfile = (name: string, profile: Profile): Source => ({
  name: `profile '${name}'`,
  ...profile,
  isProfile: true,
});

/** Returns the address at which this environment's own service listens. */
function localUrl(): string {
  const port = process.env['PORT'] || '3000';
  const named = process.env['HOST'] || '127.0.0.1';
  const host = ['0.0.0.0', '::'].includes(named) ? '127.0.0.1' : named;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function checked(url: string, from: Source | undefined): string {
  if (URL.canParse(url) && /^https?:/.test(url)) return url;
  throw new CommandFailure(
    from?.name.startsWith('--') ? EXIT.couldNotCheck : EXIT.wrongSetting,
    `--url or MACE_URL must begin with http:// or https://; it is ${JSON.stringify(url)}.`,
  );
}

/** Returns what a new profile has: the options, else the environment, else the URL of the local service. */
export function newService({ url, token }: ServiceOptions): Profile {
  const given = url ?? (process.env['MACE_URL'] || undefined);
  const kept = token ?? (process.env['MACE_TOKEN'] || undefined);
  const from = url === undefined ? undefined : { name: '--url' };
  return {
    url: checked(given ?? localUrl(), from),
    ...(kept === undefined ? {} : { token: kept }),
  };
}

/** Returns the URL of the command's service. */
export const urlOf = (options: ServiceOptions): string => serviceOf(options).url;

/** Returns the URL of a page of the service's console. */
export const consoleUrl = (options: ServiceOptions, path: string): string =>
  `${urlOf(options).replace(/(?<!\/)\/+$/, '')}/console${path}`;

/** Returns the token that the user gave or keeps; undefined if one is to be minted. */
export const givenToken = (options: ServiceOptions): string | undefined => serviceOf(options).token;

interface Claims {
  readonly sub?: string;
  readonly roles?: readonly Role[];
  readonly user_id?: string | undefined;
}

/** Returns what a given token says; undefined if none is given or it is not a JWT. The service verifies it. */
export function givenClaims(options: ServiceOptions): Claims | undefined {
  const token = givenToken(options);
  return token === undefined ? undefined : claimsOf(token);
}

function claimsOf(token: string): Claims | undefined {
  try {
    return decodeJwt<Claims>(token);
  } catch {
    return undefined;
  }
}

/** Returns a client for what everybody may read of a service: it sends no token of the user's. */
export const publicClient = (options: ServiceOptions): MaceClient =>
  new MaceClient({ baseUrl: urlOf(options), token: 'none' });

/** Returns a client with a minted token, for a command that acts as several people. */
export async function mintedClient(
  options: ServiceOptions,
  claims: Claims & { readonly sub: string; readonly roles: readonly Role[] },
): Promise<MaceClient> {
  const token = await mintedToken(process.env, { ...claims, ttl: DAY_SECONDS });
  return new MaceClient({ baseUrl: urlOf(options), token });
}

/** Says on standard error which service a command with minted tokens uses. */
export function sayMinting(options: ServiceOptions, claims: Claims): void {
  const { url, urlFrom } = serviceOf(options);
  say(options, url, urlFrom, claims, mintedFrom());
}

/** Says on standard error which service a command uses, and as whom; `claims` are those of a minted token. */
export function saySource(options: ServiceOptions, claims: Claims): void {
  const { url, urlFrom, token, tokenFrom } = serviceOf(options);
  const caller = token === undefined ? claims : claimsOf(token);
  const place = urlFrom === tokenFrom ? undefined : urlFrom;
  say(options, url, place, caller, tokenFrom?.name ?? mintedFrom());
}

function say(
  { json }: ServiceOptions,
  url: string,
  urlFrom: Source | undefined,
  claims: Claims | undefined,
  from: string,
): void {
  if (json) return;
  const place = urlFrom?.isProfile ? ` of ${urlFrom.name}` : '';
  process.stderr.write(`Using ${url}${place} ${callerWords(claims)} from ${from}\n`);
}

function callerWords(claims: Claims | undefined): string {
  if (claims === undefined) return 'with a token that is not a JWT';
  const { sub = 'nobody', roles = [], user_id } = claims;
  const user = user_id === undefined ? '' : `; user: ${user_id}`;
  return `as ${sub} (roles: ${Array.isArray(roles) ? roles.join(', ') : ''}${user})`;
}

const mintedFrom = (): string =>
  process.env['MACE_JWT_SECRET'] ? 'MACE_JWT_SECRET' : `the keys in ${dataDirOf(process.env)}`;

interface Patience {
  readonly timeoutMs?: number;
}

/** Returns a client that acts as `sub` with these roles and this user, or with the given token. Says which. */
export async function connect(
  options: ServiceOptions,
  claims: Claims & { readonly sub: string; readonly roles: readonly Role[] },
  patience: Patience = {},
): Promise<MaceClient> {
  const client = await clientOf(options, claims, patience);
  saySource(options, claims);
  return client;
}

/** Returns the client of `connect` without saying so, for a command with several clients. */
export async function clientOf(
  options: ServiceOptions,
  claims: Claims & { readonly sub: string; readonly roles: readonly Role[] },
  patience: Patience = {},
): Promise<MaceClient> {
  const { url: baseUrl, token: given } = serviceOf(options);
  const token = given ?? (await mintedToken(process.env, { ...claims, ttl: DAY_SECONDS }));
  return new MaceClient({ baseUrl, token, ...patience });
}
