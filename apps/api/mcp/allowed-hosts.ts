import type { ServiceConfig } from '#platform/config/service-config.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** The form of a host name in a URL, where an IPv6 address stands in brackets. */
const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host.toLowerCase());

/**
 * Returns the host names under which clients of MCP reach this service. Every name is accepted if the service listens on
 * more than this machine and no name is set: the token still decides.
 */
export function allowedHosts({ host, mcpHosts }: Pick<ServiceConfig, 'host' | 'mcpHosts'>): {
  readonly hosts: readonly string[];
  readonly acceptsEveryHost: boolean;
} {
  return {
    hosts: [...(EVERY_ADDRESS.has(host) ? [] : [inUrl(host)]), ...mcpHosts],
    acceptsEveryHost: mcpHosts.length === 0 && !LOOPBACK.test(host),
  };
}
