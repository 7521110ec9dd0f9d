import type { Provider } from '@nestjs/common';
import type { Logger } from 'pino';
import { councilOf, verifierWith } from '#agents/council/council.js';
import { OrderedProviders } from '#agents/language-model/ordered-providers.js';
import type { Attempt } from '#agents/language-model/provider.js';
import { agentsOf } from '#agents/registry.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { Metrics } from '../platform/health/metrics.js';
import { AGENTS, CONFIG, LOGGER } from '../platform/tokens.js';
import type { Participants } from './participants.js';

/** Counts the attempts to call language models, and logs the failed attempts (SPEC A1, F3). */
const attemptsTo =
  (logger: Logger, metrics: Metrics) =>
  (attempt: Attempt): void => {
    const { provider, outcome } = attempt;
    metrics.modelAttempts.inc({ provider, outcome });
    if (outcome === 'answered') return;
    logger.warn({
      type: 'language_model_failed',
      ...attempt,
      ...(outcome === 'auth' ? { cause: 'AUTH_ERROR' } : {}),
    });
  };

/** The agents and the council, with the language models that the environment configures. */
export const configuredParticipants: Provider = {
  provide: AGENTS,
  inject: [CONFIG, LOGGER, Metrics],
  useFactory: (
    { languageModels, privacyRules }: ServiceConfig,
    logger: Logger,
    metrics: Metrics,
  ): Participants => {
    const hooks = { onAttempt: attemptsTo(logger, metrics) };
    const languageModel = new OrderedProviders(languageModels.providers, hooks);
    return {
      agents: agentsOf({ languageModel }),
      council: councilOf(languageModels.council, privacyRules, hooks),
      verifier: verifierWith(languageModel),
    };
  },
};
