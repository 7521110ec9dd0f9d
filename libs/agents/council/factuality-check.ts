import type { CouncilVote } from '#domain/reflective-log/fields.js';
import type { AgentAnswer, AgentContext, FactRead, Question } from '../agent.js';
import type { CouncilMember } from '../council-member.js';
import { spokenValue } from '../memory/spoken.js';
import { voteOf } from './vote.js';

/** The score of a model's answer that cites no facts. */
const NEUTRAL = 0.5;

const folded = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

const stands = (fact: FactRead | undefined, text: string): boolean =>
  fact !== undefined && folded(text).includes(folded(spokenValue(fact.value)));

/**
 * Compares an answer with the facts that it cites (SPEC A3). The score is the share of facts whose values occur in
 * the text. Without facts, a computed answer scores 1 and a model's answer scores NEUTRAL.
 */
export class FactualityCheck implements CouncilMember {
  readonly id = 'factuality_check';
  readonly isLocal = true;

  async vote(
    _question: Question,
    { sem_keys, text, tokens }: AgentAnswer,
    context: AgentContext,
  ): Promise<CouncilVote> {
    if (sem_keys.length === 0)
      return tokens === 0
        ? voteOf(this.id, { approve: true, note: 'by rules alone' })
        : voteOf(this.id, {
            scores: { factuality: NEUTRAL },
            approve: true,
            note: 'no evidence',
          });
    const facts = await Promise.all(sem_keys.map(context.fact));
    const standing = facts.filter((fact) => stands(fact, text)).length;
    const approve = standing === sem_keys.length;
    return voteOf(this.id, {
      scores: { factuality: standing / sem_keys.length },
      approve,
      suggested_changes: approve ? '' : 'Say what the stored facts say.',
      note: `${standing} of ${sem_keys.length} facts stand in the answer`,
    });
  }
}
