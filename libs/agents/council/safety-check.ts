import type { Finding, Verdict } from '#domain/privacy/finding.js';
import { findingTypes } from '#domain/privacy/require-clear.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import { scanText, verdictOf } from '#domain/privacy/scan-text.js';
import type { CouncilVote } from '#domain/reflective-log/fields.js';
import type { AgentAnswer, AgentContext, Question } from '../agent.js';
import type { CouncilMember } from '../council-member.js';
import { spokenValue } from '../memory/spoken.js';
import { voteOf } from './vote.js';

/**
 * Runs the privacy gate over an answer (SPEC A3, P1). A finding gives safety 0 and a rejection. The values of cited
 * facts are exempt, because the caller may read them and the gate has checked them before.
 */
export class SafetyCheck implements CouncilMember {
  readonly id = 'safety_check';
  readonly isLocal = true;

  constructor(private readonly rules: RuleSet) {}

  async vote(
    _question: Question,
    answer: AgentAnswer,
    context: AgentContext,
  ): Promise<CouncilVote> {
    const left = await this.withoutFacts(scanText(answer.text, this.rules), answer, context);
    if (left.outcome === 'clear')
      return voteOf(this.id, { approve: true, note: `clear by ${left.rule_set_version}` });
    const types = findingTypes(left).join(', ');
    return voteOf(this.id, {
      scores: { safety: 0 },
      approve: false,
      suggested_changes: 'Leave out personal data and secrets.',
      note: types,
    });
  }

  private async withoutFacts(
    verdict: Verdict,
    { sem_keys, text }: AgentAnswer,
    { fact }: AgentContext,
  ): Promise<Verdict> {
    if (verdict.outcome !== 'flagged') return verdict;
    const facts = await Promise.all(sem_keys.map(fact));
    const known = facts.flatMap((read) => (read ? occurrences(spokenValue(read.value), text) : []));
    const isKnown = ({ span }: Finding): boolean => known.some((outer) => covers(outer, span));
    const unknown = verdict.findings.filter((finding) => !isKnown(finding));
    return verdictOf(unknown, verdict.rule_set_version);
  }
}

type Span = Finding['span'];

const covers = (outer: Span, inner: Span): boolean => outer[0] <= inner[0] && inner[1] <= outer[1];

function occurrences(part: string, text: string): readonly Span[] {
  if (part === '') return [];
  const found: Span[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length))
    found.push([at, at + part.length]);
  return found;
}
