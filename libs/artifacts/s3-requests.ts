import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';
import { askOutsideForBytes, OutsideFailed } from '#bounded/outside.js';

/** A request as the client of S3 has signed it. */
interface SignedRequest {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** The bounds of one answer of the store. */
export interface S3Bounds {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** A request that did not reach the store, which the client of S3 sends once more. */
class Unreached extends Error {
  readonly $retryable = {};
}

/** Encodes text as the signature of a request does. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function pathOf({ path, query }: SignedRequest): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => `${encoded(name)}=${encoded(one ?? '')}`),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

async function sent(request: SignedRequest, bounds: S3Bounds) {
  const { method, protocol, hostname, port, headers } = request;
  try {
    return await askOutsideForBytes({
      ...{ method: method as 'GET' | 'HEAD' | 'PUT', headers, ...bounds },
      url: `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`,
      path: pathOf(request),
      ...(request.body && { body: request.body }),
    });
  } catch (cause) {
    if (cause instanceof OutsideFailed && cause.failure === 'network')
      throw new Unreached(cause.message, { cause });
    throw cause;
  }
}

/** Makes the part of the S3 client that sends requests. The client's own has no bound for what the store answers. */
export const boundedRequests = (bounds: S3Bounds) =>
  ({
    async handle(request: SignedRequest) {
      const { status, headers, bytes } = await sent(request, bounds);
      const single = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
      return {
        response: {
          statusCode: status,
          headers: Object.fromEntries(single),
          body: Readable.from([bytes]),
        },
      };
    },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
  }) satisfies S3ClientConfig['requestHandler'];
