import type { ProviderFailure } from '../language-model-down.js';

/** A failed attempt at one provider. Contains no key and no text. */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed';

  constructor(
    readonly failure: ProviderFailure,
    /** The HTTP status, if the provider sent one. */
    readonly status: number | null = null,
  ) {
    super(`the provider failed: ${failure}`);
  }
}
