import { readFileSync } from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';
import { resolve } from 'node:path';
import type { SecureContextOptions } from 'node:tls';

/** The settings of the connection in a connection string. */
export interface SessionSettings {
  /** The TLS settings; undefined means no TLS. */
  readonly tls: SecureContextOptions | undefined;
  /** Milliseconds between two pings; -1 means no pings. */
  readonly keepAliveInterval: number;
  /** How many milliseconds to wait for the answer to a ping; -1 means no limit. */
  readonly keepAliveTimeout: number;
}

/**
 * The bytes that the server may send before this process has read them, for each call and for the
 * connection. The default of 64 KiB lets a subscription read about 100 events in one turn of the event
 * loop, and a busy process has few turns.
 */
const WINDOW = 1024 * 1024;

const USER = /^[^:]+:\/\/(?:[^:]+:[^@]+@)?/;

/** Reads settings that the official client checks but does not offer to its users. */
export function sessionSettings(url: string): SessionSettings {
  const settings = new Map<string, string>();
  const afterUser = url.trim().replace(USER, '').replace(/\/+$/, '');
  for (const [, key = '', value = ''] of afterUser.matchAll(/[?&]([^=&?]+)=([^&?]+)/g)) {
    // The official client treats tlsCAFile, tls-ca-file and TLS_CA_FILE as the same name.
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

/** Opens an HTTP/2 connection to `host:port`. If it cannot be opened, or breaks, its calls fail. */
export function openSession(node: string, settings: SessionSettings): ClientHttp2Session {
  const { tls } = settings;
  const window = { settings: { initialWindowSize: WINDOW } };
  const session =
    tls === undefined
      ? connect(`http://${node}`, window)
      : connect(`https://${node}`, { ...tls, ...window });
  session.on('connect', () => session.setLocalWindowSize(WINDOW));
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
