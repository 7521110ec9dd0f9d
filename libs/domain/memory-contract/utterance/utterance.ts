import { canonicalJson } from '../../determinism/canonical-json.js';
import type { Json } from '../../json.js';
import { dedupKey } from './authority.js';
import { eventTypeOf, isLowSignal } from './classify.js';
import { factOf, type Fact } from './facts.js';
import { importanceOf } from './importance.js';
import type { EventType } from '../item.js';
import type { PolicySnapshot } from '../policy.js';
import { promotionHint, type PromotionHint } from '../promotion/promotion.js';
import { hiddenKey, holdsSecretWord, REDACTED, shownText } from './redaction.js';
import { privacyRefusal, type PrivacyRefusal } from '../interaction/write-check.js';

/** Everything that the rules need to know of a text that was said. */
export type Utterance = {
  /** As an item keeps it; `(redacted)` where the text was withheld. */
  readonly text: string;
  readonly event_type: EventType;
  readonly importance: number;
  readonly importance_reason: readonly string[];
  readonly dedup_key: string;
  /** Blank, a greeting, a thank-you: no knowledge is made of it (SPEC M3). */
  readonly low_signal: boolean;
  readonly fact: Fact | null;
  readonly hint: PromotionHint | null;
  readonly privacy: PrivacyRefusal | null;
  readonly flagged: boolean;
};

/**
 * A text as an input event may record it. What will be denied for a secret that it holds is withheld: only
 * what the rules need to know of it is kept, so that no secret is ever in the log (SPEC P1, M8).
 */
export type Heard = { readonly text: string } | { readonly withheld: Utterance };

export type Speaker = 'user' | 'ai' | 'tool';

const typeOf = (text: string, speaker: Speaker): EventType =>
  ({ user: () => eventTypeOf(text), ai: () => 'context', tool: () => 'execution' })[
    speaker
  ]() as EventType;

function utteranceOf(
  text: string,
  speaker: Speaker,
  privacy: PolicySnapshot['privacy'],
  flagged: boolean,
): Utterance {
  const event_type = typeOf(text, speaker);
  return {
    text,
    event_type,
    ...importanceOf(event_type, text, speaker),
    dedup_key: dedupKey(event_type, text),
    low_signal: text.trim() === '' || isLowSignal(text),
    fact: speaker === 'user' ? factOf(text) : null,
    hint: speaker === 'user' ? promotionHint(text) : null,
    privacy: privacyRefusal(text, privacy),
    flagged,
  };
}

/** What is left of an utterance that must not be recorded. */
const redacted = (utterance: Utterance): Utterance => ({
  ...utterance,
  text: REDACTED,
  dedup_key: hiddenKey(utterance.dedup_key),
  fact: utterance.fact && {
    key: utterance.fact.key,
    value: shownText(utterance.fact.value, utterance.flagged),
  },
});

/**
 * A text as it goes into the command. `flagged` is the detector's verdict (SPEC M8, §8).
 */
export function heard(
  text: string,
  speaker: Speaker,
  policy: PolicySnapshot,
  flagged: boolean,
): Heard {
  const utterance = utteranceOf(text, speaker, policy.privacy, flagged);
  const isSecret = flagged || (utterance.privacy !== null && holdsSecretWord(text));
  return isSecret ? { withheld: redacted(utterance) } : { text };
}

/** What was heard, judged again; of a withheld text, what was recorded about it. */
export const understood = (said: Heard, speaker: Speaker, policy: PolicySnapshot): Utterance =>
  'withheld' in said ? said.withheld : utteranceOf(said.text, speaker, policy.privacy, false);

/** The text of the tool item (SPEC M18): canonical, so that a replay makes the same. */
export const toolText = (toolEvents: readonly Json[]): string =>
  `tool_events:${canonicalJson(toolEvents)}`;
