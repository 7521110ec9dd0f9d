import type { ProviderFailure } from '../language-model-down.js';

/** One attempt at one provider that came to nothing. Holds no key and no text. */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed';

  constructor(
    readonly failure: ProviderFailure,
    /** The HTTP status, where one came. */
    readonly status: number | null = null,
  ) {
    super(`the provider failed: ${failure}`);
  }
}
