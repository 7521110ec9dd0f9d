import type { CouncilVote } from '#domain/reflective-log/fields.js';
import { tokensOf } from '#domain/episode/tokens.js';
import type { AgentAnswer, Question } from '../agent.js';
import type { CouncilMember } from '../council-member.js';
import { voteOf } from './vote.js';

/** The maximum characters of an answer, which is the limit of SPEC L1 for an agent's text. */
const MAX_CHARACTERS = 16_000;
/** Texts that are shorter than this need no full stop and are not checked for repetition. */
const SHORT_CHARACTERS = 200;
const SHORT_WORDS = 30;
const ACCEPTABLE = 0.5;

interface Flaw {
  readonly score: number;
  readonly change: string;
}

/**
 * Returns the number of different three-word sequences in a text, divided by the number of all its
 * three-word sequences: 0 to 1.
 */
function variety(text: string): number {
  const words = tokensOf(text);
  if (words.length <= SHORT_WORDS) return 1;
  const runs = words.slice(2).map((word, at) => `${words[at]} ${words[at + 1]} ${word}`);
  return new Set(runs).size / runs.length;
}

const isFinished = (text: string): boolean =>
  text.length <= SHORT_CHARACTERS || !/[\p{L}\p{Nd},;:(–-]$/u.test(text);

const hasOpenCode = (text: string): boolean => text.split('```').length % 2 === 0;

function flawOf(text: string, rejected: string | undefined): Flaw | undefined {
  if (text === '') return { score: 0, change: 'Give an answer.' };
  if (text === rejected?.trim())
    return { score: 0.3, change: 'Change the answer as the reviewers asked.' };
  if (text.length > MAX_CHARACTERS)
    return { score: 0.2, change: `Answer in at most ${MAX_CHARACTERS} characters.` };
  const fresh = variety(text);
  if (fresh < ACCEPTABLE) return { score: fresh, change: 'Do not repeat yourself.' };
  if (!isFinished(text) || hasOpenCode(text))
    return { score: 0.4, change: 'Finish the answer; make it shorter if need be.' };
  return undefined;
}

/**
 * Checks the form of an answer by rules alone (SPEC A3). The answer must have content, must not repeat
 * itself or break off, must keep the limits, and must differ from the rejected answer that it repairs.
 */
export class CoherenceCheck implements CouncilMember {
  readonly id = 'coherence_check';
  readonly isLocal = true;

  async vote({ repair }: Question, answer: AgentAnswer): Promise<CouncilVote> {
    // A computed answer is the same every time, so it may equal the rejected answer.
    const rejected = answer.tokens > 0 ? repair?.rejected : undefined;
    const flaw = flawOf(answer.text.trim(), rejected);
    if (!flaw) return voteOf(this.id, { approve: true, note: 'whole, and not repeating' });
    return voteOf(this.id, {
      scores: { coherence: flaw.score },
      approve: false,
      suggested_changes: flaw.change,
      note: '',
    });
  }
}
