import { status } from '@grpc/grpc-js';
import type { JsonObject } from '#domain/json.js';
import { parseConnectionString } from '../connection-string.js';
import type { Diagnosis } from '../diagnosis.js';
import { survey } from '../survey.js';
import { AdminClient, type ServerUser, statusOf } from './admin-client.js';
import { type Grantee, isSame, withReadOfAll, withStreamRights } from './stream-rights.js';

/** How long a host may take to answer in ms. A person waits, so it is more than a service waits at its start. */
const PATIENCE_MS = 10_000;

/** Thrown if the user cannot be set up. The message is one sentence, without a password. */
export class SetUpRefused extends Error {
  override readonly name = 'SetUpRefused';
  /** @param kind `user`: the server has such a user, which must not be used; else as in `Diagnosis` */
  constructor(
    readonly kind: Diagnosis['kind'] | 'user',
    sentence: string,
    options?: ErrorOptions,
  ) {
    super(sentence, options);
  }
}

export interface SetUpOptions extends Grantee {
  /** The connection string of an administrator. */
  readonly url: string;
  /** The password of a user that is made, or of every user with `setsPassword`. */
  readonly password: string;
  /** True if the password of a user that exists is replaced. */
  readonly setsPassword: boolean;
  /** True if `password` is the one that the user must have afterwards, so that it can be tried. */
  readonly triesPassword: boolean;
}

export interface SetUpReport {
  /** One sentence for each change; empty if everything was there before. */
  readonly changes: readonly string[];
  /** True if the user has the password of the options because this run has set it. */
  readonly hasSetPassword: boolean;
}

/** The type of the events in `$settings`. The server does not read it. */
const SETTINGS_TYPE = '$settings';
const TRIES = 3;
const PROPAGATION_MS = 5000;
const BETWEEN_TRIES_MS = 200;

/**
 * Makes a user whose group has the rights that the service needs, and no more: to read and write streams, and to
 * read $all. What exists is kept; a second run changes nothing. @throws BadConnectionString, SetUpRefused.
 */
export async function setUpUser(options: SetUpOptions): Promise<SetUpReport> {
  const { url, user, password } = options;
  const admin = AdminClient.to(parseConnectionString(url));
  let hasSetPassword = false;
  try {
    await refuseWithoutUsers(admin, options);
    await admin.findLeader();
    const changes: string[] = [];
    await setUpLogin(admin, options, changes, () => (hasSetPassword = true));
    await setUpRights(admin, options, changes);
    if (hasSetPassword || options.triesPassword)
      await tryLogin(
        asUser(url, `${user}:${encodeURIComponent(password)}`),
        changes.length === 0 ? 0 : PROPAGATION_MS,
      );
    return { changes, hasSetPassword };
  } catch (error) {
    const refusal = error instanceof SetUpRefused ? error : await refusalOf(error, url);
    if (!hasSetPassword || options.triesPassword) throw refusal;
    throw new SetUpRefused(
      refusal.kind,
      `${refusal.message} The user's new password was not shown, so give the command again with --new-password.`,
      { cause: error },
    );
  } finally {
    await admin.close().catch(() => undefined);
  }
}

/** Returns the connection string with these credentials, as `user:password`, in place of its own. */
export const asUser = (url: string, credentials: string): string =>
  url.trim().replace(/^([a-z+]+:\/\/)(?:[^@]*@)?/, (_, scheme) => `${scheme}${credentials}@`);

const HAS_USER = /^[^/]*\/\/[^@]+@/;

/** A server without TLS has no users. The embedded node says so itself; EventStoreDB does not answer. */
async function refuseWithoutUsers(admin: AdminClient, { url, user }: SetUpOptions): Promise<void> {
  const { tls, hosts } = parseConnectionString(url);
  const at = hosts.map(({ host, port }) => `${host}:${port}`).join(',');
  if (tls !== undefined) {
    if (HAS_USER.test(url)) return;
    throw new SetUpRefused(
      'setting',
      'The connection string names no user. Write one of $admins before the hosts: esdb://admin:password@host.',
    );
  }
  const failure = await admin.user(user).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof Error && failure.message.includes('embedded event store'))
    throw new SetUpRefused(
      'setting',
      `${at} is the embedded event store, which has no users: its secret protects it. Only EventStoreDB and KurrentDB with TLS have users.`,
    );
  const diagnosis = await firstDiagnosis(url);
  if (diagnosis !== undefined) throw new SetUpRefused(diagnosis.kind, diagnosis.sentence);
  throw new SetUpRefused(
    'setting',
    `${at} runs without TLS (--insecure), so it has no users and checks no rights. Start the server with certificates, and remove tls=false from the connection string.`,
  );
}

/**
 * Makes the user, or brings it into the group. Calls back before the password is set: the server may set it
 * although its answer is lost.
 */
async function setUpLogin(
  admin: AdminClient,
  { user, group, password, setsPassword }: SetUpOptions,
  changes: string[],
  onPassword: () => void,
): Promise<void> {
  const existing = await admin.user(user);
  if (existing === undefined) {
    onPassword();
    await admin.createUser(user, password, [group]);
    changes.push(`The user ${user} was made, in the group ${group}.`);
    return;
  }
  refuseUnfit(existing, group);
  if (!existing.groups.includes(group)) {
    await admin.setGroups(existing, [group]);
    changes.push(`The user ${user} is now in the group ${group}.`);
  }
  if (!setsPassword) return;
  onPassword();
  await admin.setPassword(user, password);
  changes.push(`The user ${user} has a new password.`);
}

function refuseUnfit({ name, groups, isDisabled }: ServerUser, group: string): void {
  const others = groups.filter((each) => each !== group);
  if (others.length > 0)
    throw new SetUpRefused(
      'user',
      `The user ${name} exists and is in ${others.join(', ')}, so it would have more rights than the service needs. Choose another --user.`,
    );
  if (isDisabled)
    throw new SetUpRefused(
      'user',
      `The user ${name} exists and is disabled. Enable it on the server, or choose another --user.`,
    );
}

async function setUpRights(
  admin: AdminClient,
  grantee: SetUpOptions,
  changes: string[],
): Promise<void> {
  const { group } = grantee;
  if (await change(admin, '$settings', SETTINGS_TYPE, (was) => withStreamRights(was, grantee)))
    changes.push(
      `$settings: the group ${group} reads and writes streams; administrators delete them and change their metadata.`,
    );
  if (await change(admin, '$$$all', '$metadata', (was) => withReadOfAll(was, grantee)))
    changes.push(`$all: the group ${group} reads it.`);
}

/** Replaces the content of a stream of the server's own. Returns false if it is right already. */
async function change(
  admin: AdminClient,
  stream: string,
  type: string,
  changed: (was: JsonObject) => JsonObject,
): Promise<boolean> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const { number, data } = await admin.lastOf(stream);
    const wanted = changed(data);
    if (isSame(wanted, data)) return false;
    if (await admin.append(stream, number, type, wanted)) return true;
  }
  throw new Error(`somebody else keeps changing ${stream}`);
}

/**
 * Reads $all as the user. A follower of a cluster learns of a change a moment after the leader, so it may take
 * a while.
 */
async function tryLogin(url: string, patienceMs: number): Promise<void> {
  const end = Date.now() + patienceMs;
  let diagnosis = await firstDiagnosis(url);
  while (diagnosis?.kind === 'setting' && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
    diagnosis = await firstDiagnosis(url);
  }
  if (diagnosis !== undefined)
    throw new SetUpRefused(
      diagnosis.kind,
      `The user was set up, but a read of $all with its password failed: ${diagnosis.sentence}`,
    );
}

/** Returns why no host can be used; undefined if one can. */
async function firstDiagnosis(url: string): Promise<Diagnosis | undefined> {
  const hosts = await survey(url, PATIENCE_MS);
  if (hosts.some(({ diagnosis }) => diagnosis === undefined)) return undefined;
  return (hosts.find(({ diagnosis }) => diagnosis?.kind === 'setting') ?? hosts[0])?.diagnosis;
}

async function refusalOf(error: unknown, url: string): Promise<SetUpRefused> {
  const options = { cause: error };
  if (isDenied(error))
    return new SetUpRefused(
      'setting',
      'The user of the connection string may not make users or change rights. Use a member of $admins.',
      options,
    );
  const diagnosis = await firstDiagnosis(url);
  if (diagnosis !== undefined) return new SetUpRefused(diagnosis.kind, diagnosis.sentence, options);
  const reason = error instanceof Error ? error.message : String(error);
  return new SetUpRefused(
    'outage',
    `The event store did not finish the set-up (${reason}). Give the same command again to go on.`,
    options,
  );
}

const isDenied = (error: unknown): boolean =>
  statusOf(error) === status.PERMISSION_DENIED ||
  (error instanceof Error && 'type' in error && error.type === 'access-denied');
