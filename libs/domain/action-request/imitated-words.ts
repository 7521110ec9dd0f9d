import { imitationsIn } from '../deceptive-text/imitations.js';
import type { Json, JsonObject } from '../json.js';
import { textsOf } from './leaves.js';

interface WordsTogether {
  readonly target_sem_key: string | null;
  /** Undefined if it is sealed. */
  readonly value: Json | undefined;
  readonly justification: string;
  readonly evidence: readonly JsonObject[];
}

/**
 * Returns the words of a request that imitate Latin, in lower case. Its texts are judged together: one of them can say that
 * a word belongs to its language.
 */
export function imitatedWords(request: WordsTogether): ReadonlySet<string> {
  const { target_sem_key, value, justification, evidence } = request;
  return imitationsIn(
    [
      // The key is in Latin letters, so the value stands among them.
      [target_sem_key ?? '', ...(value === undefined ? [] : textsOf(value))],
      [justification],
      ...evidence.map((entry) => [...textsOf(entry)]),
    ].map((texts) => texts.join('\n')),
  );
}
