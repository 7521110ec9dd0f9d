import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Returns a request of the service as a web `Request`, without its body, which the service has read already. Its
 * signal aborts when the client leaves before the answer is complete.
 */
export function webRequestOf(request: FastifyRequest, reply: FastifyReply): Request {
  const left = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) left.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, String(value));
  // The address is not used, and a Host header may have any form.
  return new Request(`http://mace.invalid${request.url}`, {
    method: request.method,
    headers,
    signal: left.signal,
  });
}
