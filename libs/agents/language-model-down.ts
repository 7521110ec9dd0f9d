/**
 * How a provider failed. `auth` means that its API key is missing or was refused, which is logged as
 * AUTH_ERROR (SPEC A1).
 */
export type ProviderFailure = 'auth' | 'timeout' | 'status' | 'network' | 'malformed';

/**
 * Thrown with the code LLM_SERVICE_DOWN if every configured provider failed, or if no provider is
 * configured (SPEC A1). The error contains neither an API key nor any text of a question or an answer.
 */
export class LanguageModelDown extends Error {
  override readonly name = 'LanguageModelDown';

  constructor(
    /** The failed attempts in the order of the calls; empty if no provider is configured. */
    readonly attempts: readonly { readonly provider: string; readonly failure: ProviderFailure }[],
  ) {
    super('no language model answered');
  }
}
