import { Inject, Injectable } from '@nestjs/common';
import type { AgentAnswer } from '#agents/agent.js';
import { cutToCodePoints } from '#domain/episode/tokens.js';
import { findingTypes } from '#domain/privacy/require-clear.js';
import { scanFact } from '#domain/privacy/scan-fact.js';
import type { AgentAnswered } from '#domain/query/events.js';
import type { CouncilVote, LogRedaction } from '#domain/reflective-log/fields.js';
import { LogRedactor } from '#domain/reflective-log/redact-log.js';
import { VOTE_NOTE } from '#domain/reflective-log/schema.js';
import type { KeyedHash } from '../platform/http/identity.decorator.js';
import { KEYED_HASH } from '../platform/tokens.js';

/**
 * The most characters that are kept of a model's text; texts beyond the log's limit go to an artifact (SPEC
 * L1).
 */
const MAX_TEXT = 200_000;
const MAX_STEPS = 100;

/** Votes after the gate, as they may be recorded. */
interface GatedVotes {
  readonly votes: CouncilVote[];
  readonly redactions: readonly LogRedaction[];
}

type GatedAnswer = Omit<AgentAnswered, 'call' | 'agent_id'>;

/** Removes personal data from answers and votes before they are recorded (SPEC P3). */
@Injectable()
export class OutputGate {
  constructor(@Inject(KEYED_HASH) private readonly keyedHash: KeyedHash) {}

  answer({ text, reasoning_trace, proposal, ...answer }: AgentAnswer): GatedAnswer {
    const redactor = new LogRedactor(this.keyedHash);
    const blocked_by = proposal === undefined ? [] : found(proposal);
    return {
      text: redactor.said(cutToCodePoints(text, MAX_TEXT), 'text'),
      confidence: share(answer.confidence),
      reasoning_trace: reasoning_trace
        .slice(0, MAX_STEPS)
        .map((step, index) =>
          redactor.said(cutToCodePoints(step, VOTE_NOTE), `reasoning_trace.${index}`),
        ),
      tokens: answer.tokens,
      sem_keys: answer.sem_keys,
      proposal: blocked_by.length === 0 ? (proposal ?? null) : null,
      missing_key: answer.missing_key ?? null,
      redactions: redactor.redactions,
      blocked_by,
    };
  }

  votes(votes: readonly CouncilVote[]): GatedVotes {
    const redactor = new LogRedactor(this.keyedHash);
    const gated = votes.map(({ council_agent_id, scores, approve, ...words }, index) => ({
      council_agent_id,
      scores: {
        factuality: share(scores.factuality),
        coherence: share(scores.coherence),
        safety: share(scores.safety),
      },
      approve,
      suggested_changes: redactor.said(
        cutToCodePoints(words.suggested_changes, VOTE_NOTE),
        `votes.${index}.suggested_changes`,
      ),
      note: redactor.said(cutToCodePoints(words.note, VOTE_NOTE), `votes.${index}.note`),
    }));
    return { votes: gated, redactions: redactor.redactions };
  }
}

const found = ({ key, value }: NonNullable<AgentAnswer['proposal']>): readonly string[] =>
  findingTypes(scanFact(key, { value }));

/** Clamps a score to 0..1. */
const share = (value: number): number => (value >= 0 ? Math.min(value, 1) : 0);
