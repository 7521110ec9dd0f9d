import { Inject, Injectable } from '@nestjs/common';
import type { AgentAnswer } from '#agents/agent.js';
import { cutToCodePoints } from '#domain/episode/tokens.js';
import { findingTypes } from '#domain/privacy/require-clear.js';
import { redact } from '#domain/privacy/redact.js';
import { scanFact } from '#domain/privacy/scan-fact.js';
import { scanText } from '#domain/privacy/scan-text.js';
import type { AgentAnswered } from '#domain/query/events.js';
import type { CouncilVote, LogRedaction } from '#domain/reflective-log/fields.js';
import { VOTE_NOTE } from '#domain/reflective-log/schema.js';
import type { KeyedHash } from '../platform/http/identity.decorator.js';
import { KEYED_HASH } from '../platform/tokens.js';

const REASON = 'PII_DETECTED';
/** More than a language model is let say; what a log has no room for goes to its artifact (SPEC L1). */
const MOST_TEXT = 200_000;
const MOST_STEPS = 100;

/** What was said, as it may be recorded. */
export interface Gated<Said> {
  readonly said: Said;
  readonly redactions: readonly LogRedaction[];
}

type GatedAnswer = Omit<AgentAnswered, 'call' | 'agent_id'>;

/** Takes personal data out of what agents and members of the council say, before it is recorded (SPEC P3). */
@Injectable()
export class OutputGate {
  constructor(@Inject(KEYED_HASH) private readonly keyedHash: KeyedHash) {}

  answer({ text, reasoning_trace, proposal, ...answer }: AgentAnswer): GatedAnswer {
    const redactions: LogRedaction[] = [];
    const blocked_by = proposal === undefined ? [] : found(proposal);
    return {
      text: this.clean('text', cutToCodePoints(text, MOST_TEXT), redactions),
      confidence: share(answer.confidence),
      reasoning_trace: reasoning_trace
        .slice(0, MOST_STEPS)
        .map((step, index) =>
          this.clean(`reasoning_trace.${index}`, cutToCodePoints(step, VOTE_NOTE), redactions),
        ),
      tokens: answer.tokens,
      sem_keys: answer.sem_keys,
      proposal: blocked_by.length === 0 ? (proposal ?? null) : null,
      missing_key: answer.missing_key ?? null,
      redactions,
      blocked_by,
    };
  }

  votes(votes: readonly CouncilVote[]): Gated<CouncilVote[]> {
    const redactions: LogRedaction[] = [];
    const said = votes.map(({ council_agent_id, scores, approve, ...words }, index) => ({
      council_agent_id,
      scores: {
        factuality: share(scores.factuality),
        coherence: share(scores.coherence),
        safety: share(scores.safety),
      },
      approve,
      suggested_changes: this.clean(
        `votes.${index}.suggested_changes`,
        cutToCodePoints(words.suggested_changes, VOTE_NOTE),
        redactions,
      ),
      note: this.clean(`votes.${index}.note`, cutToCodePoints(words.note, VOTE_NOTE), redactions),
    }));
    return { said, redactions };
  }

  private clean(field: string, text: string, redactions: LogRedaction[]): string {
    const verdict = scanText(text);
    if (verdict.outcome === 'clear') return text;
    if (verdict.outcome === 'cannot_scan') {
      const hash = this.keyedHash(text);
      redactions.push({ field, type: 'cannot_scan', hash, redaction_reason: REASON });
      return '[REDACTED:cannot_scan]';
    }
    for (const { type, span } of verdict.findings) {
      const hash = this.keyedHash(text.slice(...span));
      redactions.push({ field, type, hash, redaction_reason: REASON });
    }
    return redact(text, verdict.findings);
  }
}

const found = ({ key, value }: NonNullable<AgentAnswer['proposal']>): readonly string[] =>
  findingTypes(scanFact(key, { value }));

/** 0..1, whatever was said. */
const share = (value: number): number => (value >= 0 ? Math.min(value, 1) : 0);
