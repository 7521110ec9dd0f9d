import { LanguageModelDown, type ProviderFailure } from '../language-model-down.js';
import { completeOnce } from './chat-completion.js';
import type { Completion, LanguageModel, Message } from './language-model.js';
import type { Attempt, Provider } from './provider.js';
import { ProviderFailed } from './provider-failed.js';

export interface ProviderHooks {
  /** Called after each attempt, for logs and metrics. */
  readonly onAttempt?: (attempt: Attempt) => void;
}

/** Calls providers in order, each once, until one succeeds (SPEC A1). */
export class OrderedProviders implements LanguageModel {
  constructor(
    private readonly providers: readonly Provider[],
    private readonly hooks: ProviderHooks = {},
  ) {}

  async complete(messages: readonly Message[], signal: AbortSignal): Promise<Completion> {
    const failures: { provider: string; failure: ProviderFailure }[] = [];
    for (const provider of this.providers) {
      const answered = await this.attempt(provider, messages, signal);
      if (typeof answered !== 'string') return answered;
      failures.push({ provider: provider.name, failure: answered });
    }
    throw new LanguageModelDown(failures);
  }

  /** Returns the provider's answer, or its failure. */
  private async attempt(
    provider: Provider,
    messages: readonly Message[],
    signal: AbortSignal,
  ): Promise<Completion | ProviderFailure> {
    signal.throwIfAborted();
    const begun = performance.now();
    const told = (outcome: Attempt['outcome'], status: number | null): void =>
      this.hooks.onAttempt?.({
        provider: provider.name,
        outcome,
        status,
        time_ms: Math.round(performance.now() - begun),
      });
    try {
      const completion = await completeOnce(provider, messages, signal);
      told('answered', 200);
      return completion;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProviderFailed)) throw error;
      told(error.failure, error.status);
      return error.failure;
    }
  }
}
