import { Refusal } from './refusal.js';

interface Rule {
  /** The rule in words, for the developer_message. */
  readonly words: string;
  /** What a caller whom the rule stops can do. */
  readonly instead?: string;
}

/** The rules that say who may do what. The keys are the ids of SPEC. */
const RULES = {
  A1: { words: 'confirmation by the person' },
  A3: { words: 'who asks for a review' },
  A4: { words: 'the end of a query' },
  E2: { words: 'who reads an episode' },
  G2: { words: 'independent votes' },
  G6: { words: 'the order of an erasure' },
  G7: { words: 'who reads personal data' },
  G8: { words: 'changes of a proposal' },
  G9: { words: 'votes on high risk' },
  I9: { words: 'ownership', instead: 'Use a token of the owner.' },
  P4: { words: 'consent' },
  S1: {
    words: 'who reads a fact',
    instead:
      'Use a token of the user whom the key names. Facts of other scopes are open to every caller.',
  },
  S2: { words: 'the source of a fact', instead: 'Leave source out: it follows from the token.' },
  S4: {
    words: 'who writes a fact',
    instead:
      'POST /v1/action-requests with episodic_id, target_sem_key, value and justification proposes the fact, and the council’s approval writes it. POST /v1/jobs/{seed}/episodes answers an episodic_id. Only facts of scope user are written directly, with a token of that user.',
  },
  S5: { words: 'who deletes a fact' },
  W8: { words: 'what is not personal data' },
} as const satisfies Readonly<Record<string, Rule>>;

/** Returns whether a check lets an action pass. Other errors are passed on. */
export async function isPermitted(check: () => Promise<unknown>): Promise<boolean> {
  try {
    await check();
    return true;
  } catch (cause) {
    if (cause instanceof Refusal && cause.code === 'PERMISSION_DENIED') return false;
    throw cause;
  }
}

/**
 * Refuses an action that is not allowed. `action` is a verb phrase for the developer_message, with keys and ids only.
 * @throws Refusal PERMISSION_DENIED if `allowed` is false.
 */
export function permit(allowed: boolean, action: string, rule: keyof typeof RULES): void {
  if (allowed) return;
  const { words, ...help }: Rule = RULES[rule];
  throw new Refusal('PERMISSION_DENIED', { action, rule: words }).teaching(help);
}
