import type { ProviderFailure } from '../language-model-down.js';

/** One OpenAI-compatible endpoint (SPEC A1). */
export interface Provider {
  /** The provider's name in logs and metrics. */
  readonly name: string;
  /** The URL before `/chat/completions`, without a slash at the end. */
  readonly base_url: string;
  readonly model: string;
  /**
   * The API key. `none`: the endpoint needs no key. `missing`: the endpoint needs a key and none is
   * configured, so calls fail as `auth`.
   */
  readonly key: 'none' | 'missing' | { readonly secret: string };
  /** The timeout of one attempt in ms, from the connection to the end of the body. */
  readonly timeout_ms: number;
}

/**
 * The result of one attempt at a provider. It contains neither the API key nor any text of the question
 * or the answer.
 */
export interface Attempt {
  readonly provider: string;
  readonly outcome: 'answered' | ProviderFailure;
  /** The HTTP status; null if the provider sent none. */
  readonly status: number | null;
  readonly time_ms: number;
}
