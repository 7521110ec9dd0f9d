import { CommandHandler } from '@nestjs/cqrs';
import type { ActionRequestKind } from '#domain/action-request/events.js';
import type { Json } from '#domain/json.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import { Answer } from '../../platform/http/answer.js';
import { FactProposals } from './fact-proposals.js';
import { GovernanceProposals } from './governance-proposals.js';
import type { DryRunDto } from './dry-run-view.js';
import { ProposalDryRun } from './proposal-dry-run.js';
import { Propose } from './propose.js';

/** Makes a proposal of a fact (SPEC G1), or of consent or an erasure (SPEC P4, G6); or says what it would come to. */
@CommandHandler(Propose)
export class ProposeHandler {
  constructor(
    private readonly facts: FactProposals,
    private readonly governance: GovernanceProposals,
    private readonly dryRun: ProposalDryRun,
  ) {}

  async execute(proposal: Propose): Promise<Answer<Json | DryRunDto>> {
    const { kind = 'sem_put' } = proposal;
    if (proposal.dry_run === true) return Answer.dryRun(await this.dryRunOf(proposal, kind));
    const made = await (kind === 'sem_put'
      ? this.facts.propose(proposal)
      : this.governance.propose(kind, proposal));
    return Answer.written(onlyAnswer(made), made.position);
  }

  private async dryRunOf(asked: Propose, kind: ActionRequestKind): Promise<DryRunDto> {
    const proposal = await (kind === 'sem_put'
      ? this.facts.draft(asked)
      : this.governance.draft(kind, asked));
    return this.dryRun.of(asked.actor, proposal);
  }
}
