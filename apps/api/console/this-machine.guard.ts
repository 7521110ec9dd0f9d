import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BlockList, isIP } from 'node:net';
import { Refusal } from '#domain/errors/refusal.js';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * The headers that well-known proxies, load balancers and tunnels add. Behind a proxy, everybody's address is the
 * proxy's.
 */
const FORWARDING = new RegExp(
  `^(?:${[
    ...['forwarded', 'via', 'cdn-loop', 'x-forwarded', 'x-forwarded-.*', 'x-original-.*'],
    ...['x-real-ip', 'x-client-ip', 'client-ip', 'x-cluster-client-ip', 'x-remote-(?:ip|addr)'],
    ...['x-originating-ip', 'x-proxyuser-ip', '(?:wl-)?proxy-client-ip', 'true-client-ip'],
    ...['cf-.*', 'fly-.*', 'fastly-.*', 'do-connecting-ip', 'x-envoy-.*', 'x-appengine-.*'],
    ...['x-azure-.*', 'x-arr-.*', 'x-amzn-.*', 'x-amz-cf-.*', 'x-vercel-.*', 'x-nf-.*'],
  ].join('|')})$`,
);

function isLoopback(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && LOOPBACK.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Lets only programs on this machine call a route, and no proxy that says in a header that it is one. A proxy on this
 * machine that adds none of these headers is not recognised: it must add `Forwarded` or `X-Forwarded-For`, or refuse
 * `/v1/console/sign-in` and `/v1/console/links` itself (docs/console.md).
 */
@Injectable()
export class ThisMachineGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { remoteAddress = '' } = request.socket;
    const isForwarded = Object.keys(request.headers).some((name) => FORWARDING.test(name));
    if (isLoopback(remoteAddress) && !isForwarded) return true;
    const route = request.routeOptions.url ?? request.url;
    throw new Refusal('PERMISSION_DENIED', {
      action: `${request.method} ${route}`,
      rule: 'only from the machine of the service',
    });
  }
}
