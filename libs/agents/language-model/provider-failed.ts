import type { ProviderFailure } from '../language-model-down.js';

/**
 * Thrown for a failed attempt at one provider. The error contains neither an API key nor any text of a
 * question or an answer.
 */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed';

  constructor(
    readonly failure: ProviderFailure,
    /** The HTTP status; null if the provider sent none. */
    readonly status: number | null = null,
  ) {
    super(`the provider failed: ${failure}`);
  }
}
