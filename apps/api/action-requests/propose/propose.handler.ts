import { CommandHandler } from '@nestjs/cqrs';
import type { Json } from '#domain/json.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import { Answer } from '../../platform/http/answer.js';
import { FactProposals } from './fact-proposals.js';
import { GovernanceProposals } from './governance-proposals.js';
import { Propose } from './propose.js';

/** Makes a proposal of a fact (SPEC G1), or of consent or an erasure (SPEC P4, G6). */
@CommandHandler(Propose)
export class ProposeHandler {
  constructor(
    private readonly facts: FactProposals,
    private readonly governance: GovernanceProposals,
  ) {}

  async execute(proposal: Propose): Promise<Answer<Json>> {
    const { kind = 'sem_put' } = proposal;
    const made = await (kind === 'sem_put'
      ? this.facts.propose(proposal)
      : this.governance.propose(kind, proposal));
    return Answer.written(onlyAnswer(made), made.position);
  }
}
