import {
  type AuthInfo,
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  type LegacyHttpHandler,
  localhostAllowedHostnames,
  type McpHttpHandler,
  type McpServerFactory,
  originValidationResponse,
  type ServerNotifier,
} from '@modelcontextprotocol/server';

export interface HttpEndpointOptions {
  /** Makes the server of one request. `authInfo` of its context is the verified caller. */
  readonly serverFor: McpServerFactory;
  /**
   * Host names, beside those of this machine, under which clients reach the service. A page of another host
   * is refused, so that no web page reaches the service through a host name that it controls (DNS rebinding).
   */
  readonly hosts: readonly string[];
  /** True if other machines reach the service and not all of its host names are known. */
  readonly acceptsEveryHost: boolean;
  /** Answers clients of 2025's revisions with sessions, in place of the stateless answers. */
  readonly sessions?: LegacyHttpHandler;
  /**
   * Takes one of a caller's places for streams that wait for changes, and returns how to give it back. Without it, only
   * the number of all streams is limited. @throws whatever refuses the request, if the caller has no place left
   */
  readonly takeSubscription?: (caller: AuthInfo) => () => void;
}

/** The most streams that all clients together may hold open to wait for changes. */
export const MAX_SUBSCRIPTIONS = 100;
const LISTEN = 'subscriptions/listen';

/** The most requests in one batch; each of them is a request to the service. */
const MAX_BATCH = 100;

/** Returns why a batch is refused; undefined for one that is carried out, and for a single request. */
function batchFault(body: unknown): string | undefined {
  if (!Array.isArray(body)) return undefined;
  if (body.length > MAX_BATCH)
    return `The batch has ${body.length} requests, and at most ${MAX_BATCH} are taken. None was carried out.`;
  const ids = body.flatMap(
    (message: { readonly id?: unknown; readonly method?: unknown } | null) =>
      message?.id === undefined || message.method === undefined ? [] : [JSON.stringify(message.id)],
  );
  // A client could not tell which of two requests an answer is for.
  if (new Set(ids).size < ids.length)
    return 'Two requests of the batch have the same id. None was carried out: give each an id of its own.';
  return undefined;
}

const INVALID_REQUEST = -32_600;

const refusedBatch = (message: string): Response =>
  Response.json(
    { jsonrpc: '2.0', error: { code: INVALID_REQUEST, message }, id: null },
    { status: 400 },
  );

/** Returns the response, whose end or cancellation calls `release`. */
export function untilItEnds(response: Response, release: () => void): Response {
  const body: ReadableStream<Uint8Array> | null = response.body;
  const reader = body?.getReader();
  if (reader === undefined) release();
  const watched =
    reader &&
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const read = await reader.read();
          if (!read.done) return controller.enqueue(read.value);
        } catch (cause) {
          release();
          throw cause;
        }
        release();
        controller.close();
      },
      cancel(reason) {
        release();
        return reader.cancel(reason);
      },
    });
  return new Response(watched ?? null, response);
}

/**
 * MCP over streamable HTTP: revision 2026-07-28, and the earlier ones that hosts still speak. It keeps no session:
 * each request gets a server of its own.
 */
export class HttpEndpoint {
  readonly #options: HttpEndpointOptions;
  readonly #handler: McpHttpHandler;
  readonly #names: string[];

  constructor(options: HttpEndpointOptions) {
    this.#options = options;
    this.#names = [...localhostAllowedHostnames(), ...options.hosts];
    this.#handler = createMcpHandler(options.serverFor, {
      legacy: options.sessions === undefined ? 'stateless' : 'reject',
      maxSubscriptions: MAX_SUBSCRIPTIONS,
    });
  }

  /** Answers a request of a verified caller. `parsedBody` is its body, which was read before. */
  async answer(request: Request, authInfo: AuthInfo, parsedBody?: unknown): Promise<Response> {
    const { acceptsEveryHost, sessions } = this.#options;
    const refused =
      (acceptsEveryHost ? undefined : hostHeaderValidationResponse(request, this.#names)) ??
      originValidationResponse(request, this.#names);
    if (refused !== undefined) return refused;
    const fault = batchFault(parsedBody);
    if (fault !== undefined) return refusedBatch(fault);
    const given = { authInfo, ...(parsedBody !== undefined && { parsedBody }) };
    if (sessions !== undefined && (await isLegacyRequest(request, parsedBody)))
      return sessions(request, given);
    const isSubscription = (parsedBody as { readonly method?: unknown } | null)?.method === LISTEN;
    const release = isSubscription ? this.#options.takeSubscription?.(authInfo) : undefined;
    if (release === undefined) return this.#handler.fetch(request, given);
    try {
      return untilItEnds(await this.#handler.fetch(request, given), release);
    } catch (cause) {
      release();
      throw cause;
    }
  }

  /** Announces changes to the clients that hold a stream open. */
  get notify(): ServerNotifier {
    return this.#handler.notify;
  }

  /** Ends the streams that clients hold open. */
  close(): Promise<void> {
    return this.#handler.close();
  }
}
