import { statedAbout } from './statement.js';

/** How a sentence can ask for a fact about its speaker. */
export type SentenceKind =
  /** A question, or a request to state something: “What is my age?”, “Tell me my age”. */
  | 'question'
  /** A request for work: “Write a poem about my hobby”, “Can you improve my essay?”. */
  | 'task'
  /** A question for instructions, advice or reasons: “How do I sort my list?”. */
  | 'advice'
  /** A statement, or a command to store something. */
  | 'statement';

export interface Sentence {
  /** The text in lower case, with straight apostrophes and single spaces. */
  readonly text: string;
  readonly kind: SentenceKind;
}

const words = (...alternatives: readonly string[]): string => `(?:${alternatives.join('|')})\\b`;
const beginning = (...alternatives: readonly string[]): RegExp =>
  new RegExp(`^${words(...alternatives)}`);

/** Words before a sentence that do not change its kind. */
const LEAD =
  /^(?:(?:hi|hello|hey|ok|okay|so|well|now|and|but|also|then|please|pls|btw|by the way|excuse me|sorry|oh|um|yes|no)\b[\s,:;!–—-]*)+/;
const QUESTION_WORD = beginning(
  "what(?:'?s)?|who(?:'?s|m|se)?|when(?:'?s)?|where(?:'?s)?|which|why|how(?:'?s)?",
  'is|are|am|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must',
  '(?:at|in|on|for|from|to|by|under|with|of) (?:what|which|whom|whose)|since when|until when|any idea',
);
/** Words that request a statement; what follows is the same question without them. */
const ASKING = new RegExp(
  `^(?:${[
    '(?:can|could|will|would) you (?:please |kindly |just |happen to )?',
    'do you (?:happen to |still |even )?(?:know|remember|recall) ',
    '(?:do|did) (?:you|i) (?:ever )?(?:tell|mention|say)(?:ed)?(?: to)?(?: you| me)? ',
    'let me know ',
    '(?:tell|told|show|teach|explain|give|remind|say|ask)(?: to)?(?: me| us)?(?: of| again)? ',
    "i(?:'d| would)? (?:want|need|like|love|wish) (?:you )?to (?:know|hear|learn|see|find out|tell me|remind me) ",
    'i (?:wonder|am wondering|am curious) ',
    "i'm (?:wondering|curious) ",
    "i(?:'ve| have)? ?(?:forgot|forgotten|forget|don't know|don't remember|can't remember|can't recall|do not remember|cannot remember) ",
  ].join('|')})+`,
);
/** The words of a request to state something. */
const REQUESTED =
  /^(?:(?:tell|show|give|remind|say|list|state|repeat|recall|know|guess|display|reveal|spell|pronounce|describe|share|confirm)(?: me| us)?(?: of| again| please)? )(?:my|mine|what|who|whose|when|where|which|about my|how (?:old|tall|much|many|long|far|often)|the [\w' ]{1,40} of my)\b/;
const KNOWN = /^(?:know|remember|recall|guess)\b/;
const ASKED_ABOUT =
  /^(?:my|what|who|whose|when|where|which|about my|how (?:old|tall|much|many|long|far|often)|the [\w' ]{1,40} of my)\b/;
/** “I forgot my keys” may be about a thing; only a known attribute (“my age”) is asked for. */
const FORGOTTEN_THING =
  /^i(?:'ve| have)? ?(?:forgot|forgotten|forget|(?:don't|do not|can't|cannot) (?:know|remember|recall)) my\b/;
const COMMAND = beginning(
  'set|save|store|remember|note|create|delete|schedule|open|forget|change|update|add',
);
const SUBJECT = beginning(
  "i|i'm|im|i've|i'd|i'll|we|we're|he|she|they|it|it's|this|that|these|those|you|our|the|a|an|there",
  'my|today|yesterday|tomorrow|once|last|if|because|since|as|while|after|before|thanks|thank',
);
/** A name of a fact without a verb: “my shoe size”, “my favorite color is”. */
const BARE = /^my \S+(?: \S+){0,2}$|^my \S+(?: \S+){0,2} (?:is|are|was)$/;

const GOOD =
  '(?:good|best|better|easy|easiest|fastest|safest|ideal|cheapest|nice|fun|healthy|healthiest|quickest|simplest)\\b';
const ADVICE: readonly RegExp[] = [
  // To spell or to say a name, one must know it.
  /^how (?:do|can|should|could|would|might|must|may|shall|to|does one)\b(?! (?:(?:i|you|we) )?(?:spell|pronounce|know me|remember|call me)\b)/,
  /^(?:can|could|may|should|shall|must|might) (?:i|we)\b/,
  /^(?:what|which|where|when|who|whom|how (?:much|many|often|long|far|soon|early|late))\b[^?]{0,60}? (?:should|could|can|shall|must|might) (?:i|we|one)\b/,
  /^why (?:is|isn't|are|aren't|does|doesn't|do|don't|won't|can't|should|would|might)\b/,
  /^what (?:happens|if)\b|^what does it mean\b|^what (?:do|would) you (?:think|suggest|recommend|advise)\b|^do you (?:think|believe|recommend|suggest)\b/,
  new RegExp(
    `^(?:(?:what|which|who|where)(?:'?s| is| are| was| would be)? )?(?:(?:a|an|the|some|any) )?(?:(?:really|most|very) )?${GOOD}`,
  ),
  /^(?:is|would) it (?:be )?(?:ok|okay|safe|normal|possible|legal|worth|bad|good|better|fine|wrong|rude|allowed|healthy|necessary|advisable)\b/,
  /^(?:is|are) there (?:a|an|any|some) (?:\S+ )?(?:way|ways|app|tool|trick|method|library|command|shortcut|remedy)\b/,
  /^(?:(?:any|some) )?(?:ideas|tips|advice|suggestions|recommendations)\b/,
];

/** A request about a text that it quotes: the quoted words are not the speaker's own. */
const ABOUT_A_QUOTE =
  /^(?:(?:can|could) you (?:please )?)?(?:translate|pronounce|correct|proofread|rephrase|paraphrase|rewrite|summari[sz]e|how (?:do|would|can|should) (?:you|i|we|one) (?:say|write|translate|pronounce|spell)|what (?:does|do)|what is the meaning|who (?:said|wrote|sang|sings|coined)|is the (?:sentence|phrase))\b/;
const QUOTED = /"[^"]{0,500}"|“[^”]{0,500}”|«[^»]{0,500}»|(?<=\s)'[^']{0,500}'(?=[\s?.!]|$)/g;

function kindOf(text: string, mark: string): SentenceKind {
  const asked = text.replace(ASKING, '');
  if (ADVICE.some((pattern) => pattern.test(text) || pattern.test(asked))) return 'advice';
  const request = text.replace(
    /^(?:can|could|will|would) you (?:please |kindly |just |happen to )?/,
    '',
  );
  if (REQUESTED.test(request)) return 'question';
  if (request !== text) return KNOWN.test(request) ? 'question' : 'task';
  if (mark !== '?' && COMMAND.test(text)) return 'statement';
  if (mark === '?' || QUESTION_WORD.test(text)) return 'question';
  if (asked !== text && ASKED_ABOUT.test(asked) && !/^(?:explain|teach)\b/.test(text))
    return FORGOTTEN_THING.test(text) ? 'task' : 'question';
  if (mark === '' && BARE.test(text) && statedAbout(text) === null) return 'question';
  return SUBJECT.test(text) ? 'statement' : 'task';
}

const SENTENCE_END = /(?<=[.?!…])\s+|\n+/;
/** A clause after which the question comes: “My dog is ill, what can I do?” */
const BEFORE_QUESTION =
  /[,;:–—]\s+(?:so |and |but )?(?=(?:what|how|why|should|can|could|is|are|do|does|which|when|where|who)\b)/;

/** Splits a text into its sentences, and names the kind of each. */
export const sentencesOf = (text: string): readonly Sentence[] =>
  text
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .split(SENTENCE_END)
    .flatMap(clausesOf);

function clausesOf(sentence: string): readonly Sentence[] {
  const clauses = sentence.replace(/\s+/g, ' ').trim().split(BEFORE_QUESTION);
  return clauses.map((clause, index) => {
    const isLast = index === clauses.length - 1;
    const plain = clause.replace(LEAD, '');
    const text = ABOUT_A_QUOTE.test(plain) ? plain.replace(QUOTED, '') : plain;
    const end = isLast ? (/[?.!](?=[\s"')]*$)/.exec(clause)?.[0] ?? '') : '.';
    const unmarked = text.replace(/(?<![\s?.!])[\s?.!]+$/, '');
    const isSubordinate = !isLast && /^(?:when|while|how|what)\b/.test(unmarked);
    return { text: unmarked, kind: isSubordinate ? 'statement' : kindOf(unmarked, end) };
  });
}
