import { Inject, Injectable } from '@nestjs/common';
import { TRUSTED_AGENTS_KEY, trustedAgents } from '#domain/sem/access.js';
import { currentFact } from '#domain/sem/state.js';
import { semStream } from '#domain/stream-names.js';
import type { SemStore } from '../platform/stores.js';
import { SEM_STORE } from '../platform/tokens.js';

/** Reads the current list of agents that may write shared facts (SPEC S4). */
@Injectable()
export class TrustedAgents {
  constructor(@Inject(SEM_STORE) private readonly facts: SemStore) {}

  async subs(): Promise<readonly string[]> {
    const fact = currentFact((await this.facts.load(semStream(TRUSTED_AGENTS_KEY))).state);
    return trustedAgents(fact !== undefined && 'value' in fact ? fact.value : undefined);
  }
}
