import { readFileSync } from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';
import { resolve } from 'node:path';
import type { SecureContextOptions } from 'node:tls';

/** What a connection string says of the connection itself. */
export interface SessionSettings {
  /** Undefined: without TLS. */
  readonly tls: SecureContextOptions | undefined;
  /** Milliseconds between two pings; -1: none. */
  readonly keepAliveInterval: number;
  /** Milliseconds that a ping may stay without an answer; -1: any time. */
  readonly keepAliveTimeout: number;
}

const USER = /^[^:]+:\/\/(?:[^:]+:[^@]+@)?/;

/** Reads what the official client has checked: it offers these settings to nobody. */
export function sessionSettings(url: string): SessionSettings {
  const settings = new Map<string, string>();
  const behindUser = url.trim().replace(USER, '').replace(/\/+$/, '');
  for (const [, key = '', value = ''] of behindUser.matchAll(/[?&]([^=&?]+)=([^&?]+)/g)) {
    // The official client takes tlsCAFile, tls-ca-file and TLS_CA_FILE for the same.
    settings.set(key.toLowerCase().replace(/[_\- ]/g, ''), value.trim());
  }
  const file = (key: string): Buffer | undefined => {
    const path = settings.get(key);
    return path === undefined ? undefined : readFileSync(resolve(decodeURIComponent(path)));
  };
  const tls = { ca: file('tlscafile'), cert: file('usercertfile'), key: file('userkeyfile') };
  return {
    tls: settings.get('tls') === 'false' ? undefined : tls,
    keepAliveInterval: Number(settings.get('keepaliveinterval') ?? 10_000),
    keepAliveTimeout: Number(settings.get('keepalivetimeout') ?? 10_000),
  };
}

/** Opens an HTTP/2 connection to `host:port`. Its calls tell when it cannot be made, or is lost. */
export function openSession(node: string, settings: SessionSettings): ClientHttp2Session {
  const { tls } = settings;
  const session =
    tls === undefined ? connect(`http://${node}`) : connect(`https://${node}`, { ...tls });
  session.on('error', () => undefined);
  keepAlive(session, settings);
  return session;
}

function keepAlive(
  session: ClientHttp2Session,
  { keepAliveInterval, keepAliveTimeout }: SessionSettings,
): void {
  if (keepAliveInterval < 0) return;
  const pings = setInterval(() => {
    if (session.destroyed) return;
    const overdue =
      keepAliveTimeout < 0
        ? undefined
        : setTimeout(() => session.destroy(), keepAliveTimeout).unref();
    session.ping(() => clearTimeout(overdue));
  }, keepAliveInterval).unref();
  session.on('close', () => clearInterval(pings));
}
