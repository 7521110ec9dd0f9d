import { askOutsideForJson, OutsideFailed, type OutsideFailure } from '#bounded/outside.js';
import type { ProviderFailure } from '../language-model-down.js';
import type { Completion, Message } from './language-model.js';
import type { Provider } from './provider.js';
import { ProviderFailed } from './provider-failed.js';

/** The bounds of an answer. The attempt fails if the answer exceeds them. */
const MAX_BODY_BYTES = 262_144;
const BOUNDS = { maxDepth: 50, maxPieces: 20_000 };
const MAX_ANSWER_TOKENS = 2_048;

const FAILURES: Readonly<Record<OutsideFailure, ProviderFailure>> = {
  timeout: 'timeout',
  network: 'network',
  too_large: 'malformed',
  malformed: 'malformed',
};

/** Makes one attempt at one provider. @throws ProviderFailed; the signal's reason if it aborts. */
export async function completeOnce(
  provider: Provider,
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<Completion> {
  const { status, json } = await answerOf(provider, messages, signal);
  if (status === 401 || status === 403) throw new ProviderFailed('auth', status);
  // A redirect could send the question to a host that is not configured.
  if (status >= 300 && status < 400) throw new ProviderFailed('network', status);
  if (status < 200 || status > 299) throw new ProviderFailed('status', status);
  return completionIn(json as ChatCompletion | null, status);
}

async function answerOf(
  { base_url, model, key, timeout_ms }: Provider,
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly json: unknown }> {
  if (key === 'missing') throw new ProviderFailed('auth');
  const request = {
    method: 'POST',
    url: `${base_url}/chat/completions`,
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
    ...{ timeoutMs: timeout_ms, maxBytes: MAX_BODY_BYTES, signal },
  } as const;
  try {
    return await askOutsideForJson(request, BOUNDS);
  } catch (cause) {
    if (!(cause instanceof OutsideFailed)) throw cause;
    throw new ProviderFailed(FAILURES[cause.failure], cause.status);
  }
}

/** The parts of a chat completion that the client reads. Any of them may be missing. */
interface ChatCompletion {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown } | null }[];
  readonly usage?: { readonly total_tokens?: unknown } | null;
}

function completionIn(parsed: ChatCompletion | null, status: number): Completion {
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
