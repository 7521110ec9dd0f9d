import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Completion, Message } from './language-model.js';
import type { Provider } from './provider.js';
import { ProviderFailed } from './provider-failed.js';

/** The maximum size of an answer's body in bytes. The attempt fails if the body is longer. */
const MAX_BODY_BYTES = 262_144;
const MAX_ANSWER_TOKENS = 2_048;

/**
 * Makes one attempt at one provider. The signal sets the time limit. @throws ProviderFailed; the
 * signal's reason if it aborts.
 */
export async function completeOnce(
  provider: Provider,
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<Completion> {
  const response = await send(provider, messages, signal);
  if (!response.ok) {
    await response.body?.cancel().catch(() => undefined);
    const refused = response.status === 401 || response.status === 403;
    throw new ProviderFailed(refused ? 'auth' : 'status', response.status);
  }
  return completionIn(await bodyOf(response, signal), response.status);
}

async function send(
  { base_url, model, key }: Provider,
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<Response> {
  if (key === 'missing') throw new ProviderFailed('auth');
  try {
    return await fetch(`${base_url}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(key === 'none' ? {} : { authorization: `Bearer ${key.secret}` }),
      },
      // These parameters make the model as deterministic as the endpoint allows. A replay does not
      // depend on them, because the answer is recorded (SPEC A2).
      body: JSON.stringify({
        model,
        messages,
        temperature: 0,
        seed: 0,
        max_tokens: MAX_ANSWER_TOKENS,
        stream: false,
      }),
      // A redirect could send the question to a host that is not configured.
      redirect: 'error',
      signal,
    });
  } catch {
    signal.throwIfAborted();
    throw new ProviderFailed('network');
  }
}

async function bodyOf(response: Response, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of piecesOf(response, signal)) {
      size += chunk.byteLength;
      if (size > MAX_BODY_BYTES) break;
      chunks.push(chunk);
    }
  } catch {
    signal.throwIfAborted();
    throw new ProviderFailed('network', response.status);
  }
  if (size > MAX_BODY_BYTES) throw new ProviderFailed('malformed', response.status);
  return decoded(Buffer.concat(chunks), response.status);
}

/**
 * Returns the body as a stream that ends with an error when the signal aborts. The signal that was passed
 * to `fetch` is not enough: in Node 20 it no longer ends the body once the garbage collector has run.
 */
const piecesOf = ({ body }: Response, signal: AbortSignal): AsyncIterable<Uint8Array> =>
  body ? Readable.fromWeb(body as ReadableStream<Uint8Array>, { signal }) : Readable.from([]);

function decoded(bytes: Uint8Array, status: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ProviderFailed('malformed', status);
  }
}

/** The parts of a chat completion that the client reads. Any of them may be missing. */
interface ChatCompletion {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown } | null }[];
  readonly usage?: { readonly total_tokens?: unknown } | null;
}

function completionIn(body: string, status: number): Completion {
  let parsed: ChatCompletion | null;
  try {
    parsed = JSON.parse(body) as ChatCompletion | null;
  } catch {
    throw new ProviderFailed('malformed', status);
  }
  const content = parsed?.choices?.[0]?.message?.content;
  const text = typeof content === 'string' ? carriable(content) : '';
  if (text === '') throw new ProviderFailed('malformed', status);
  return { text, tokens: countedTokens(parsed?.usage?.total_tokens) ?? estimatedTokens(text) };
}

const countedTokens = (count: unknown): number | undefined =>
  typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : undefined;

/** Estimates the number of tokens in a text as SPEC J5 does. */
const estimatedTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);

/** Removes characters that the log cannot hold (SPEC I5). */
const carriable = (text: string): string => text.replaceAll('\u0000', '').toWellFormed().trim();
