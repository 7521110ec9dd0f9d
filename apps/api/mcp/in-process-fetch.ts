import type { FastifyInstance } from 'fastify';

/**
 * Returns a `fetch` that sends requests through this service without a connection. A request passes every hook,
 * guard and gate, as over HTTP; its token alone decides what it may do. `traceparent` joins its log lines to
 * those of the request that caused it.
 */
export const inProcessFetch =
  (server: FastifyInstance, traceparent: string): typeof globalThis.fetch =>
  async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const answer = await server.inject({
      method: init.method ?? 'GET',
      url: pathname + search,
      headers: { ...Object.fromEntries(new Headers(init.headers)), traceparent },
      ...(typeof init.body === 'string' && { payload: init.body }),
      ...(init.signal && { signal: init.signal }),
    });
    return new Response(bodyOf(answer.statusCode, answer.rawPayload), {
      status: answer.statusCode,
      headers: headersOf(answer.headers),
    });
  };

/** A Response with one of these statuses must not have a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

const bodyOf = (status: number, payload: Buffer): Uint8Array<ArrayBuffer> | null =>
  WITHOUT_BODY.has(status) ? null : new Uint8Array(payload);

function headersOf(
  headers: Readonly<Record<string, number | string | readonly string[] | undefined>>,
): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) all.set(name, String(value));
  return all;
}
