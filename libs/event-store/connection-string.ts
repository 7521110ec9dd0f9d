import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SecureContextOptions } from 'node:tls';

/** Thrown for a connection string that cannot work. The message names the fault and contains no password. */
export class BadConnectionString extends Error {
  override readonly name = 'BadConnectionString';
}

/** A checked connection string. */
export interface ConnectionSettings {
  /** The same string as the official client reads it. */
  readonly official: string;
  readonly hosts: readonly Host[];
  /** True if the node is found by asking the hosts for the members of their cluster. */
  readonly isCluster: boolean;
  /** The TLS settings; undefined means no TLS. */
  readonly tls: SecureContextOptions | undefined;
  /** Milliseconds between two pings; -1 means no pings. */
  readonly keepAliveInterval: number;
  /** How many milliseconds to wait for the answer to a ping; -1 means no limit. */
  readonly keepAliveTimeout: number;
}

export interface Host {
  readonly host: string;
  readonly port: number;
}

type Options = ReadonlyMap<OptionName, string>;
type Check = (name: string, value: string) => void;

const DEFAULT_PORT = 2113;
/**
 * How long to wait for a host that is asked for the leader, unless the connection string says it. The
 * official client waits 5 s, as long as an append waits for its answer.
 */
const GOSSIP_TIMEOUT_S = 1;
const SCHEME = /^(esdb|kurrentdb)(\+discover)?:\/\//;

const truth: Check = (name, value) => {
  if (value !== 'true' && value !== 'false') fail(`${name} must be true or false.`);
};

const wholeNumberFrom =
  (least: number): Check =>
  (name, value) => {
    if (!/^-?\d{1,9}$/.test(value) || Number(value) < least)
      fail(`${name} must be a whole number from ${least} on.`);
  };

const anyText: Check = () => undefined;

const leaderOnly: Check = (name, value) => {
  if (value.toLowerCase() !== 'leader')
    fail(`${name} must be leader: decisions are made on what the leader holds.`);
};

const verified: Check = (name, value) => {
  truth(name, value);
  if (value === 'false')
    fail(`${name}=false is not supported. Name the authority's certificate with tlsCAFile.`);
};

/** The options that the official client knows, and how their values are checked. */
const OPTIONS = {
  connectionName: anyText,
  defaultDeadline: wholeNumberFrom(1),
  discoveryInterval: wholeNumberFrom(0),
  gossipTimeout: wholeNumberFrom(1),
  keepAliveInterval: wholeNumberFrom(-1),
  keepAliveTimeout: wholeNumberFrom(-1),
  maxDiscoverAttempts: wholeNumberFrom(1),
  nodePreference: leaderOnly,
  throwOnAppendFailure: truth,
  tls: truth,
  tlsCAFile: anyText,
  tlsVerifyCert: verified,
  userCertFile: anyText,
  userKeyFile: anyText,
} satisfies Readonly<Record<string, Check>>;

type OptionName = keyof typeof OPTIONS;

/**
 * Checks a connection string of EventStoreDB or KurrentDB, and reads the files that it names. It is stricter
 * than the official client, which prints a warning for an unknown option and silently drops all hosts but
 * the first after `esdb+discover://`. @throws BadConnectionString.
 */
export function parseConnectionString(text: string): ConnectionSettings {
  const [beginning = '', name = '', discover = ''] = SCHEME.exec(text.trim()) ?? [];
  if (beginning === '')
    fail('it must begin with esdb://, esdb+discover://, kurrentdb:// or kurrentdb+discover://.');
  const rest = text.trim().slice(beginning.length);
  const { user, place, search } = /^(?:(?<user>[^@]*)@)?(?<place>[^?]*)(?<search>.*)$/s.exec(rest)!
    .groups as { user?: string; place: string; search: string };
  const hosts = hostsIn(place.replace(/(?<!\/)\/+$/, ''));
  if (discover !== '' && hosts.length > 1)
    fail(
      `${beginning} takes one DNS name; the other hosts would never be asked. Write several hosts as ${name}://${written(hosts)}.`,
    );
  const options = optionsIn(search);
  checkUser(user);
  checkTogether(options, user);
  const isCluster = discover !== '' || hosts.length > 1;
  const patience =
    isCluster && !options.has('gossipTimeout')
      ? `${search === '' ? '?' : '&'}gossipTimeout=${GOSSIP_TIMEOUT_S}`
      : '';
  return {
    official: `esdb${discover}://${user === undefined ? '' : `${user}@`}${written(hosts)}${withoutFrequentPings(search)}${patience}`,
    hosts,
    isCluster,
    tls: options.get('tls') === 'false' ? undefined : tlsFiles(options),
    keepAliveInterval: Number(options.get('keepAliveInterval') ?? 10_000),
    keepAliveTimeout: Number(options.get('keepAliveTimeout') ?? 10_000),
  };
}

/** The shortest time between two pings for which the official client prints no warning, in ms. */
const QUIET_INTERVAL = 10_000;

/** Our own connections send the pings; the official client keeps none open on which they would matter. */
const withoutFrequentPings = (search: string): string =>
  search.replace(/(?<=[?&]keep[_-]?alive[_-]?interval=)\d+/gi, (given) =>
    String(Math.max(Number(given), QUIET_INTERVAL)),
  );

function fail(reason: string): never {
  throw new BadConnectionString(reason);
}

const written = (hosts: readonly Host[]): string =>
  hosts.map(({ host, port }) => `${host}:${port}`).join(',');

function hostsIn(place: string): readonly Host[] {
  if (place === '') fail('it names no host.');
  return place.split(',').map((item) => {
    const [, host = '', port = String(DEFAULT_PORT)] =
      /^([^:]*)(?::(.*))?$/.exec(item.trim()) ?? [];
    if (host === '') fail('it names no host between two commas, or before a port.');
    if (!/^[A-Za-z0-9._-]+$/.test(host))
      fail(`${JSON.stringify(host)} is not a host name or an IPv4 address.`);
    if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
      fail(`the port of ${host} must be a number from 1 to 65535; it is ${JSON.stringify(port)}.`);
    return { host, port: Number(port) };
  });
}

const flat = (name: string): string => name.toLowerCase().replace(/[_\- ]/g, '');
const NAMES: ReadonlyMap<string, OptionName> = new Map(
  Object.keys(OPTIONS).map((name) => [flat(name), name as OptionName]),
);

function optionsIn(search: string): Options {
  const options = new Map<OptionName, string>();
  if (search === '') return options;
  for (const pair of search.slice(1).split('&')) {
    const [given = '', ...values] = pair.split('=');
    // The official client treats tlsCAFile, tls-ca-file and TLS_CA_FILE as the same name.
    const name = NAMES.get(flat(given));
    if (name === undefined)
      fail(
        `unknown option ${JSON.stringify(given)}. The options are ${[...NAMES.values()].join(', ')}.`,
      );
    const value = values.join('=').trim();
    if (value === '') fail(`the option "${name}" has no value.`);
    if (options.has(name)) fail(`${name} is set twice.`);
    OPTIONS[name](name, value);
    options.set(name, value);
  }
  return options;
}

function checkUser(user: string | undefined): void {
  if (user === undefined) return;
  if (!/^[^:]+:[^:]+$/.test(user)) fail('before the hosts stands "user:password@".');
  try {
    decodeURIComponent(user);
  } catch {
    fail('the user and password are not valid URL encoding.');
  }
}

function checkTogether(options: Options, user: string | undefined): void {
  if (options.has('userCertFile') !== options.has('userKeyFile'))
    fail('userCertFile and userKeyFile belong together.');
  if (options.get('tls') !== 'false') return;
  for (const name of ['tlsCAFile', 'userCertFile'] as const)
    if (options.has(name)) fail(`${name} has no effect with tls=false. Remove one of them.`);
  if (user !== undefined)
    fail(
      'the client sends no password without TLS. Remove tls=false, or the user and password for a server that runs with --insecure.',
    );
}

function tlsFiles(options: Options): SecureContextOptions {
  const read = (name: OptionName): Buffer | undefined => {
    const value = options.get(name);
    if (value === undefined) return undefined;
    try {
      return readFileSync(resolve(decodeURIComponent(value)));
    } catch (cause) {
      const reason = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
      return fail(`the file of ${name} cannot be read${reason}.`);
    }
  };
  return { ca: read('tlsCAFile'), cert: read('userCertFile'), key: read('userKeyFile') };
}
