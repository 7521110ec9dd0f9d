import { isAboutEarlier } from './earlier-turns.js';
import {
  givesNumbers,
  isAdvice,
  isSupposition,
  isTask,
  worksOnText,
  wantsResult,
} from './model-work.js';
import { plainWords } from './plain-words.js';
import { statedAbout } from './statement.js';

/** What a clause of a text asks for. */
export type SentenceKind =
  /** A question, or a request to state something: “What is my age?”, “Tell me my age”. */
  | 'question'
  /** A question for an earlier turn of the conversation: “What did I say?”. */
  | 'earlier'
  /** A request for work: “Write a poem about my hobby”, “Can you improve my essay?”. */
  | 'task'
  /** A question for instructions, advice, reasons or a calculation: “How do I sort my list?”. */
  | 'advice'
  /** A statement. */
  | 'statement';

export interface Sentence {
  /** The text in lower case, with straight apostrophes and single spaces. */
  readonly text: string;
  readonly kind: SentenceKind;
  /** True if the clause, without the words that only ask, is in the first person. */
  readonly isPersonal: boolean;
  /** True for a request for work on a text, which may follow a colon. */
  readonly isOnText: boolean;
}

/** Words that only ask, or greet; what follows them is the question itself. */
export const ASKING = new RegExp(
  `^(?:(?:${[
    'please|pls|kindly|hi|hello|hey|yo|ok|okay|so|well|now|and|but|also|then|like|btw|by the way|excuse me|sorry|oh|um|umm|hmm|just|there|question',
    '(?:can|could|will|would|might) (?:you|anyone|anybody)(?: please| kindly| just| possibly| happen to| be so kind as to| mind)*',
    '(?:do|does|did) (?:you|anyone|anybody|someone)(?: happen to| still| even| ever)* (?:know|remember|recall)',
    '(?:you |anyone |anybody )?(?:still )?(?:knows?|remembers?|recall)',
    '(?:any|no) idea|(?:may|can|could) i (?:ask|know|have|get)|let (?:me|us) know',
    'i (?:would |do |really |just |should )*(?:be grateful|like|love|want|need|wish)(?: you)? to (?:know|hear|learn|see|find out|understand|tell me|remind me|have)',
    'i (?:would |do |really |just )*(?:need|want|like)(?= my\\b)',
    'i (?:was |am )?(?:just )?(?:wonder|wondering|curious)|just wondering',
    'i (?:can |could |do |did |have |just |always )*(?:(?:not|never) (?:know|remember|recall|think of)|forget|forgot|forgotten)|it (?:has )?slipped my mind',
    'help (?:me|us) (?:to )?(?:remember|recall)|(?:if you could|ask|find|get|give|provide|read|remind|send|show|teach|tell|told)(?: me| us)?(?: again| about| of| that| with)*',
    '(?:check|confirm|display|guess|list|look up|name|print|repeat|reveal|say|share|spell|state|verify|write down)(?: to (?:me|us))?(?: again| about| that)*',
  ].join('|')}) )+`,
);
const FIRST_PERSON = /\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves)\b/;
const QUESTION_WORD = /^(?:what|which|who|whom|whose|where|when|why|how)\b/;
/** “(Explain gravity) to me”: the speaker receives the answer. */
const RECIPIENT = /\b(?:to|for|with|give|tell|show|notify) (?:me|us)\b|\blike i am (?:five|5)\b/g;

/** The beginnings of a statement. */
const SUBJECT =
  /^(?:i|we|he|she|they|it|this|that|these|those|you|our|my|the|an?|there|today|yesterday|once|last|lastly|finally|because|since|as|while|after|before|thanks|thank)\b/;
/** The end of a question without a question mark: “… is what”, “…, isn't it”, “…, right”. */
const QUESTION_END =
  /\b(?:what|which|who|where|when)(?: \w+)?$|\b(?:am|is|are|do|does|did|was|were|have|has|can|will) (?:not )?(?:i|it|he|she|they|we|you)$|\b(?:right|correct|yes or no|mine)$/;
const THING = /^(?:my|our|the|an?|this|that|these|those)\b/;
/** A thing, a verb and more: “my dog is ill”, and not “my shoe size (is)”. */
const SAYS_OF_THING =
  /^(?:\S+ ){2,8}(?:is|are|was|were|has|have|had|does|do|did|can|could|will|would|not|keeps?|needs?|wants?|goes|went|ate) \S/;
/** A question that a statement contains: “my dog is old how old is he”. */
const WITHIN =
  /(?<= )(?:what|which|who|whose|where|when|how)(?: \w+)? (?:is|are|am|was|were|do|does|did|have|has) /;
/** A question for what the clause before it names: “What is it?”, “Which?”. */
const REFERRING =
  /^(?:to )?(?:what|which|who|where|when)(?: one)?(?:(?: \w+)? (?:is|was|were|are) (?:it|that|he|she|they|(?:his|her|its|their) \w+))?(?: again)?$/;

const SENTENCE_END = /(?<=[.?!…])\s+|\n+/;
/** The boundary before a question: “My dog is ill, what can I do?” */
const BEFORE_QUESTION =
  /[,;:–—]\s+(?:so |and |but )?(?=(?:what|how|why|should|can|could|is|are|do|does|which|when|where|who|any|tell|ask|suggest|explain|write|help|give|repeat)\b)|\s(?=and (?:tell|what|who|where|when|which|how)\b)/;
const POLITE =
  /(?:^|,? )(?:thanks|thank you|please|cheers)(?: (?:a lot|so much|very much|in advance))?[.!]*$/;

/** A request about a text that it quotes: the quoted words are not the speaker's own. */
const ABOUT_A_QUOTE =
  /^(?:how (?:do|would|can|should) (?:you|i|we|one)|what (?:does|do|is the)|who|is the)\b/;
const QUOTED = /"[^"]{0,500}"|“[^”]{0,500}”|«[^»]{0,500}»|(?<=\s)'[^']{0,500}'(?=[\s?.!]|$)/g;

/** Splits a text into its clauses, and names what each asks for. */
export function sentencesOf(text: string): readonly Sentence[] {
  const clean = text
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
    .normalize('NFKC')
    .toLowerCase();
  const clauses = clean
    .split(SENTENCE_END)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim().replace(POLITE, ''))
    .filter((sentence) => sentence !== '')
    .flatMap((sentence) =>
      isSupposition(plainWords(sentence)) ? [sentence] : sentence.split(BEFORE_QUESTION),
    );
  const hasNumbers = givesNumbers(clean);
  const found: Sentence[] = [];
  for (const [index, clause] of clauses.entries()) {
    const one = sentenceOf(clause, hasNumbers, index === clauses.length - 1);
    const refersToSpeaker = found.at(-1)?.isPersonal && REFERRING.test(plainWords(clause));
    found.push(refersToSpeaker ? { ...one, kind: 'question', isPersonal: true } : one);
    // What follows a colon is the text to work on.
    if (one.isOnText && /:(?:\s|$)/.test(clause)) break;
  }
  return found;
}

function sentenceOf(clause: string, hasNumbers: boolean, isLast: boolean): Sentence {
  const all = plainWords(clause);
  const asked = `${all} `.replace(ASKING, '').trim();
  const isRequest = asked !== all;
  const unquoted = isTask(asked) || ABOUT_A_QUOTE.test(asked) ? clause.replace(QUOTED, '') : clause;
  const words = unquoted === clause ? asked : `${plainWords(unquoted)} `.replace(ASKING, '').trim();
  const content = QUESTION_WORD.test(words) ? words : words.replace(RECIPIENT, '');
  return {
    text: unquoted.replace(/(?<![\s?.!])[\s?.!]+$/, ''),
    kind: kindOf(),
    isPersonal: FIRST_PERSON.test(content),
    isOnText: worksOnText(asked),
  };

  function kindOf(): SentenceKind {
    if (
      (isAboutEarlier(all) || isAboutEarlier(asked)) &&
      !(worksOnText(asked) && clause.includes(':'))
    )
      return 'earlier';
    if (isTask(asked)) return 'task';
    if (isSupposition(all) || isAdvice(asked) || (hasNumbers && wantsResult(asked)))
      return 'advice';
    const isStatement = !isRequest && SUBJECT.test(all) && !/\?["')\s]*$/.test(clause) && states();
    return isStatement ? 'statement' : 'question';
  }

  function states(): boolean {
    if (QUESTION_END.test(all)) return false;
    const within = WITHIN.exec(all);
    if (within !== null)
      return sentenceOf(all.slice(within.index), hasNumbers, isLast).kind !== 'question';
    if (!isLast || !THING.test(all)) return true;
    return SAYS_OF_THING.test(all) || statedAbout(clause) !== null;
  }
}
