import { status } from '@grpc/grpc-js';
import { connect } from 'node:tls';
import type { ConnectionSettings, Host } from './connection-string.js';
import { isLeaderless } from './leaderless.js';

/** Why an event store cannot be used. */
export interface Diagnosis {
  /** `setting`: it stays so until a person changes a setting. `outage`: it may pass by itself. */
  readonly kind: 'setting' | 'outage';
  /** One sentence: the cause, and what to do about it. It contains no password. */
  readonly sentence: string;
}

const PROBE_TIMEOUT_MS = 1000;

/**
 * Explains the failure of a call to one host. Opens a TLS connection to the host if
 * nothing else shows whether the server wants TLS or is stopping.
 */
export async function diagnose(
  failure: unknown,
  host: Host,
  { tls }: ConnectionSettings,
): Promise<Diagnosis> {
  const at = `${host.host}:${host.port}`;
  const codes = codesOf(failure);
  const message = messageOf(failure);
  const known = ofStatus(codes, at) ?? ofTls(codes, at);
  if (known !== undefined) return known;
  if (isLeaderless({ name: '', message }))
    return outage(`${at} answers, but its cluster has no leader.`);
  const network = codes.filter(isText).find((code) => NETWORK.has(code));
  if (network !== undefined) return outage(`${at} cannot be reached (${network}).`);
  if (tls === undefined && (await speaksTls(host)))
    return setting(`${at} speaks TLS. Remove tls=false from the connection string.`);
  if (codes.includes('ERR_HTTP2_ERROR') || /^HTTP \d+/.test(message))
    return setting(`${at} answers, but it is not an EventStoreDB.`);
  return outage(`${at} does not answer (${message}).`);
}

const isText = (code: unknown): code is string => typeof code === 'string';

const setting = (sentence: string): Diagnosis => ({ kind: 'setting', sentence });
const outage = (sentence: string): Diagnosis => ({ kind: 'outage', sentence });

const NETWORK: ReadonlySet<string> = new Set(
  'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ETIMEDOUT'.split(' '),
);

function ofStatus(codes: readonly unknown[], at: string): Diagnosis | undefined {
  if (codes.includes(status.UNAUTHENTICATED))
    return setting(`${at} refuses the user and password, or the secret, of the connection string.`);
  if (codes.includes(status.PERMISSION_DENIED))
    return setting(
      `${at} does not let the user of the connection string read $all. Give the user its rights with: mace event-store setup --user <name>`,
    );
  if (codes.includes(status.UNIMPLEMENTED))
    return setting(`${at} answers, but it is not an EventStoreDB.`);
  return undefined;
}

function ofTls(codes: readonly unknown[], at: string): Diagnosis | undefined {
  if (codes.includes('ERR_SSL_WRONG_VERSION_NUMBER') || codes.includes('EPROTO'))
    return setting(`${at} does not speak TLS. Add tls=false to the connection string.`);
  if (codes.includes('ERR_TLS_CERT_ALTNAME_INVALID'))
    return setting(`The certificate of ${at} is for another host name. Connect by that name.`);
  if (codes.includes('CERT_HAS_EXPIRED'))
    return setting(`The certificate of ${at} has expired. The server needs a new one.`);
  const code = codes.filter(isText).find((each) => /CERT|SIGNATURE|ISSUER/.test(each));
  if (code === undefined) return undefined;
  return setting(
    `The authority of the certificate of ${at} is not known (${code}). Name the authority's certificate with tlsCAFile.`,
  );
}

function codesOf(failure: unknown): readonly unknown[] {
  const codes: unknown[] = [];
  for (let cause = failure; cause instanceof Error; cause = cause.cause)
    if ('code' in cause) codes.push(cause.code);
  return codes;
}

function messageOf(failure: unknown): string {
  let message = String(failure);
  for (let cause = failure; cause instanceof Error; cause = cause.cause) message = cause.message;
  return message;
}

function speaksTls({ host, port }: Host): Promise<boolean> {
  return new Promise((resolve) => {
    // Nothing is sent on this connection, so the certificate does not matter.
    const socket = connect({ host, port, rejectUnauthorized: false });
    const end = (speaks: boolean) => (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(speaks);
    };
    const timer = setTimeout(end(false), PROBE_TIMEOUT_MS);
    socket.on('error', end(false)).once('secureConnect', end(true)).once('close', end(false));
  });
}
