/** The way a provider failed; `auth` means a missing or refused key, logged as AUTH_ERROR (SPEC A1). */
export type ProviderFailure = 'auth' | 'timeout' | 'status' | 'network' | 'malformed';

/**
 * Every configured provider failed, or none is configured: LLM_SERVICE_DOWN (SPEC A1). Contains no key and no
 * text.
 */
export class LanguageModelDown extends Error {
  override readonly name = 'LanguageModelDown';

  constructor(
    /** In the order of the calls; empty if no provider is configured. */
    readonly attempts: readonly { readonly provider: string; readonly failure: ProviderFailure }[],
  ) {
    super('no language model answered');
  }
}
