import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BlockList, isIP } from 'node:net';
import { Refusal } from '#domain/errors/refusal.js';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** The headers by which a proxy says for whom it asks. Behind a proxy, everybody's address is the proxy's. */
const FORWARDING =
  /^(forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

function isLoopback(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && LOOPBACK.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** Lets only programs on this machine call a route, and no proxy. */
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
