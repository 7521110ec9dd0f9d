import type { ProviderFailure } from '../language-model-down.js';

/** One OpenAI-compatible endpoint (SPEC A1). */
export interface Provider {
  /** What logs and metrics call it. */
  readonly name: string;
  /** Up to and without `/chat/completions`; without a slash at its end. */
  readonly base_url: string;
  readonly model: string;
  /** `none`: the endpoint asks for no key. `missing`: it does, and there is none, which fails as `auth`. */
  readonly key: 'none' | 'missing' | { readonly secret: string };
  /** For one whole attempt, from the connection to the end of the body. */
  readonly timeout_ms: number;
}

/** How one attempt at a provider went; holds no key and no text. */
export interface Attempt {
  readonly provider: string;
  readonly outcome: 'answered' | ProviderFailure;
  /** The HTTP status, where one came. */
  readonly status: number | null;
  readonly time_ms: number;
}
