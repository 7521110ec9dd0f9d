/** How one provider failed; `auth` for a missing or refused key, logged as AUTH_ERROR (SPEC A1). */
export type ProviderFailure = 'auth' | 'timeout' | 'status' | 'network' | 'malformed';

/** Every configured provider failed, or there is none: LLM_SERVICE_DOWN (SPEC A1). Holds no key, no text. */
export class LanguageModelDown extends Error {
  override readonly name = 'LanguageModelDown';

  constructor(
    /** In the order in which they were asked; empty where none is configured. */
    readonly attempts: readonly { readonly provider: string; readonly failure: ProviderFailure }[],
  ) {
    super('no language model answered');
  }
}
