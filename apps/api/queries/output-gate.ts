import { Inject, Injectable } from '@nestjs/common';
import type { AgentAnswer } from '#agents/agent.js';
import { cutToCodePoints } from '#domain/episode/tokens.js';
import { findingTypes } from '#domain/privacy/require-clear.js';
import type { AgentAnswered } from '#domain/query/events.js';
import type { CouncilVote, LogRedaction } from '#domain/reflective-log/fields.js';
import { logRedactor } from '#domain/reflective-log/redact-log.js';
import { VOTE_NOTE } from '#domain/reflective-log/schema.js';
import type { KeyedHash } from '../platform/http/identity.js';
import { inSlices } from '#bounded/slices.js';
import { KEYED_HASH } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';

/**
 * The maximum characters of a model's text; the rest is cut off. A text beyond the log's own limit is
 * stored as an artifact (SPEC L1).
 */
const MAX_TEXT = 200_000;
const MAX_STEPS = 100;

/** Votes that may be recorded, because the gate has removed personal data from them. */
interface GatedVotes {
  readonly votes: CouncilVote[];
  readonly redactions: readonly LogRedaction[];
}

type GatedAnswer = Omit<AgentAnswered, 'call' | 'agent_id'>;

/** Removes personal data from answers and votes before they are recorded (SPEC P3). */
@Injectable()
export class OutputGate {
  constructor(
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    private readonly gate: PrivacyGate,
  ) {}

  /** Returns an answer without personal data. A proposal that the gate flags is dropped. */
  async answer({ text, reasoning_trace, proposal, ...answer }: AgentAnswer): Promise<GatedAnswer> {
    const redactor = logRedactor(this.keyedHash, this.gate.rules);
    const blocked_by =
      proposal === undefined
        ? []
        : findingTypes(await this.gate.verdictOnFact(proposal.key, { value: proposal.value }));
    const clean = (said: string, most: number, field: string): Promise<string> =>
      inSlices(redactor.slicedTextOrPlaceholder(cutToCodePoints(said, most), field));
    const cleanText = await clean(text, MAX_TEXT, 'text');
    const steps: string[] = [];
    for (const [index, step] of reasoning_trace.slice(0, MAX_STEPS).entries())
      steps.push(await clean(step, VOTE_NOTE, `reasoning_trace.${index}`));
    return {
      text: cleanText,
      confidence: clamped(answer.confidence),
      reasoning_trace: steps,
      tokens: answer.tokens,
      sem_keys: answer.sem_keys,
      proposal: blocked_by.length === 0 ? (proposal ?? null) : null,
      missing_key: answer.missing_key ?? null,
      ...(answer.also_missing === undefined ? {} : { also_missing: answer.also_missing }),
      redactions: redactor.redactions,
      blocked_by,
    };
  }

  /** Returns votes without personal data. */
  votes(votes: readonly CouncilVote[]): GatedVotes {
    const redactor = logRedactor(this.keyedHash, this.gate.rules);
    const gated = votes.map(({ council_agent_id, scores, approve, ...words }, index) => ({
      council_agent_id,
      scores: {
        factuality: clamped(scores.factuality),
        coherence: clamped(scores.coherence),
        safety: clamped(scores.safety),
      },
      approve,
      suggested_changes: redactor.textOrPlaceholder(
        cutToCodePoints(words.suggested_changes, VOTE_NOTE),
        `votes.${index}.suggested_changes`,
      ),
      note: redactor.textOrPlaceholder(
        cutToCodePoints(words.note, VOTE_NOTE),
        `votes.${index}.note`,
      ),
    }));
    return { votes: gated, redactions: redactor.redactions };
  }
}

/** Limits a score to 0..1. */
const clamped = (value: number): number => (value >= 0 ? Math.min(value, 1) : 0);
