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

/** A text with the properties that the rules need. */
export type Utterance = {
  /** The text of the item; `(redacted)` if the text is withheld. */
  readonly text: string;
  readonly event_type: EventType;
  readonly importance: number;
  readonly importance_reason: readonly string[];
  readonly dedup_key: string;
  /** True for a blank text, a greeting, thanks or an assent; such a text does not become knowledge (SPEC M3). */
  readonly low_signal: boolean;
  readonly fact: Fact | null;
  readonly hint: PromotionHint | null;
  readonly privacy: PrivacyRefusal | null;
  readonly flagged: boolean;
};

/**
 * A text in the form that an input event may record. A text that will be denied because it contains a secret is
 * withheld: the event records only the properties that the rules need, so no secret enters the log (SPEC P1, M8).
 */
export type RecordableText = { readonly text: string } | { readonly withheld: Utterance };

/** The maximum characters of a text of a turn, and of a query. */
export const TURN_TEXT = 16_384;
/** The maximum entries of a turn's tool events, and their maximum bytes as canonical JSON. */
export const TOOL_EVENTS = { count: 100, bytes: 64 * 1024 };

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

/** Returns a withheld utterance without its secret parts. */
const redacted = (utterance: Utterance): Utterance => ({
  ...utterance,
  text: REDACTED,
  dedup_key: hiddenKey(utterance.dedup_key),
  fact: utterance.fact && {
    key: utterance.fact.key,
    value: shownText(utterance.fact.value, utterance.flagged),
  },
});

/** Returns a text in the form that a command carries. `flagged` is the detector's verdict (SPEC M8, §8). */
export function recordableText(
  text: string,
  speaker: Speaker,
  policy: PolicySnapshot,
  flagged: boolean,
): RecordableText {
  const utterance = utteranceOf(text, speaker, policy.privacy, flagged);
  const isSecret = flagged || (utterance.privacy !== null && holdsSecretWord(text));
  return isSecret ? { withheld: redacted(utterance) } : { text };
}

/** Returns the utterance of a recorded text; for a withheld text, the recorded utterance. */
export const utteranceFrom = (
  said: RecordableText,
  speaker: Speaker,
  policy: PolicySnapshot,
): Utterance =>
  'withheld' in said ? said.withheld : utteranceOf(said.text, speaker, policy.privacy, false);

/** Returns the text of the tool item (SPEC M18) as canonical JSON, so that a replay makes the same text. */
export const toolText = (toolEvents: readonly Json[]): string =>
  `tool_events:${canonicalJson(toolEvents)}`;
