import type { ProviderFailure } from '../language-model-down.js';

/** One OpenAI-compatible endpoint (SPEC A1). */
export interface Provider {
  /** The provider's name in logs and metrics. */
  readonly name: string;
  /** The URL before `/chat/completions`, without a slash at the end. */
  readonly base_url: string;
  readonly model: string;
  /**
   * `none`: the endpoint needs no key. `missing`: it needs a key and none is set, so calls fail as `auth`.
   */
  readonly key: 'none' | 'missing' | { readonly secret: string };
  /** Timeout of one attempt in ms, from the connection to the end of the body. */
  readonly timeout_ms: number;
}

/** The result of one attempt at a provider; contains no key and no text. */
export interface Attempt {
  readonly provider: string;
  readonly outcome: 'answered' | ProviderFailure;
  /** The HTTP status, if the provider sent one. */
  readonly status: number | null;
  readonly time_ms: number;
}
