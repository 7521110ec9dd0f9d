import {
  CHECKED,
  collects,
  givesNumbers,
  HELP,
  isAdvice,
  isSupposition,
  isTask,
  wantsResult,
  worksOnText,
} from './model-work.js';
import { plainWords } from './plain-words.js';
import { statedAbout } from './statement.js';

/** Verbs for what people do in a turn of a conversation: as they stand after “did you”, and of the past. */
const SAY =
  'agree|ask|answer|choose|conclude|cover|decide|discuss|give|list|mention|paste|promise|quote|recommend|reply|say|settle|speak|stop|suggest|talk|tell|type|write';
const SAID =
  'agreed|asked|answered|brainstormed|chose|collected|concluded|covered|decided|dictated|discussed|discussing|drafted|gave|listed|mentioned|noted|pasted|picked|planned|promised|quoted|recommended|replied|said|saved|saying|settled|spoke|spoken|stopped|suggested|talked|talking|told|typed|wrote|written';
/** Verbs in the past: those of a conversation, some irregular ones, and all that end in “ed” but for a few. */
const DID = `${SAID}|came|drew|found|made|put|sent|set|showed|went|(?!need|feed|allowed|based|interested|supposed|tired|used)\\w+ed`;
const ADVERBS = '(?:(?:have|had|would|just|already|also|once|both|together) )*';

/**
 * Questions for what was said, written, decided or agreed before (SPEC A5), in plain words. Each
 * names the conversation, or somebody who takes part in it.
 */
export const EARLIER: readonly RegExp[] = [
  new RegExp(`\\b(?:did|have|had|were|was) (?:i|we)(?: \\w+)?(?: \\w+)? (?:${SAY}|${SAID})\\b`),
  /\b(?:did|had) you (?!ever\b|know\b|hear\b|like\b|see\b)\w/,
  new RegExp(`\\b(?:have|were) you (?:${ADVERBS})(?:${SAID})\\b`),
  new RegExp(
    `\\b(?:what|which|who|where|when|how|that|thing|way|everything|as|of) (?:it )?(?:was )?(?:i|we) ${ADVERBS}(?:${SAID})\\b`,
  ),
  new RegExp(
    `\\b(?:i|we) (?:${SAID}) (?:\\S+ ){0,6}(?:earlier|before|yesterday|previously|ago|last)\\b`,
  ),
  new RegExp(`\\b(?:you(?: and (?:i|me))?|(?:i|me) and you) ${ADVERBS}(?:${DID}|took)\\b`),
  new RegExp(
    `\\b(?:i|we) ${ADVERBS}(?!hoped|liked|loved|needed|wanted)(?:${DID}) (?:\\S+ ){0,4}you\\b`,
  ),
  /\b(?:told|asked|gave) you\b/,
  /\bearlier (?:i|we|you)\b|\bwhere (?:did )?we (?:were|left|leave|stop)|\bwhere were we\b/,
  /\b(?:previous|earlier|(?:my|our|your) (?:first|second|third|last|other)) (?:answer|message|question|reply|turn)s?\b/,
  /\b(?:our|this|last|previous|earlier|yesterday's) (?:\w+ )?(?:chat|conversation|discussion|session)\b(?! history)/,
  /^(?:what|which)(?: \w+)? (?:was|were|has been|had been|have been) (?:already )?(?:said|told|decided|agreed|discussed|mentioned|settled)(?:$| (?:about|on|before|earlier|so far|already|for|last)\b)/,
  /^(?:what|which|who|when|where|how) did\b.*\b(?:say|tell|decide|agree|discuss|mention|write) (?:earlier|before|yesterday|last time|just now|so far)$/,
  /\bcame before this\b|^(?:what|which) was the \w+ (?:again|in the end)\b/,
  /\bi think i mentioned\b|\bi (?:\w+ ){1,5}(?:to|with) you (?:about|before|earlier|in|last|on|once|yesterday)\b/,
  /\bturns? ago\b|\bfrom (?:above|before|earlier|last time)(?: \w+){0,3}$|^(?:what|which|who|where|when) (?:was|were) .*\bagain$/,
];

/** True if plain words ask for an earlier turn of the conversation. */
export const isAboutEarlier = (words: string): boolean =>
  EARLIER.some((pattern) => pattern.test(words));

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
    'please(?: to)?|kindly|do(?= (?:correct|describe|explain|give|list|make|not forget|show|suggest|tell|write)\\b)|do me a favou?r(?: and)?|be so (?:kind|good)(?: as)? to|have the (?:goodness|kindness) to|need(?: me)?(?= (?:an?|some|three|ten|[0-9]+)\\b)|(?:hi|hello|hey)(?: there)?|yo|ok|okay|so|well|now|and|but|also|then|like|btw|by the way|excuse me|sorry|oh|um|umm|hmm|just|question',
    '(?:can|could|will|would|might) (?:you|anyone|anybody)(?: please| kindly| just| possibly| happen to| be (?:so )?(?:kind|good)(?: as| enough)? to| mind)*',
    '(?:do|does|did) (?:you|anyone|anybody|someone)(?: happen to| still| even| ever)* (?:know|remember|recall)',
    '(?:you |anyone |anybody )?(?:still )?(?:knows?|remembers?|recall)',
    '(?:got any|any|no) idea|(?:may|can|could) i (?:ask|know|(?:have|get)(?= (?:an?|it|more|my|our|some|that|the|your|[0-9]+)\\b))|let (?:me|us) (?:know|have)',
    'i (?:would |do |really |just |should )*(?:be grateful|like|love|want|need|wish)(?: you)? to (?:know|hear|learn|see|find out|understand|tell me|remind me|have)',
    'i (?:would |do |really |just )*(?:need|want|like)(?= my\\b)',
    'i (?:was |am )?(?:just )?(?:wonder|wondering|curious)|just wondering',
    'i (?:can |could |do |did |have |just |always )*(?:(?:not|never) (?:know|remember|recall|think of)|forget|forgot|forgotten)|it (?:has )?slipped my mind',
    'help (?:me|us) (?:to )?(?:remember|recall)|(?:if you could|ask|find|get|give(?! (?:my|our|this)\\b)|provide|read|remind|send|show|teach|tell|told)(?: me| us)?(?: again| about| of| that| with)*',
    '(?:help (?:me|us) (?:to )?)?(?:calculate|describe|estimate|explain|figure out|find out|work out)(?: again| once more| exactly| to me| to us| for me| me)*(?= (?:what|which|who|whose|where|when|why|how)\\b)',
    `(?:check(?! ${CHECKED})|confirm|display|guess|list|look up|name|print|repeat|reveal|say|share|spell|state|verify|write down)(?: to (?:me|us))?(?: again| about| that)*`,
  ].join('|')}) )+`,
);
const FIRST_PERSON = /\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves)\b/;
/** Names that mean somebody or something at home: “Does Aunt Helen …”, “the cat's …”. */
const HOUSEHOLD =
  /(?:^|\b(?:and|are|can|did|do|does|for|from|get|give|got|had|has|have|is|of|to|was|were|when|where|whether|will|with) )(?:(?:aunt|auntie|aunty|uncle) \w|(?:mum|mummy|mom|dad|daddy|gran|granny|grandma|grandad|grandpa|nana)s?\b)|\bthe (?:baby|cat|dog|kids|landlord|twins|vet)'s |^(?:(?:(?:what|which) \w+|where|when|who) (?:is|are|does|do)|(?:(?:what|when|where|who|how) )?(?:did|has)) the (?:baby|cat|dog|kids|landlord|plumber|twins|vet)\b|^(?:what is )?(?:the )?(?:alarm|bike|door|garage|gate|locker|wifi) (?:code|combo|combination|password|pin)$|^(?:when|what time) (?:is|are) (?:the )?(?:\w+ ){0,2}(?:appointment|booking|practice|rehearsal|reservation|visit)\b/;
/** The speaker as an example of anybody: “a good way for me to …”. */
const ANYBODY =
  /\b(?:for (?:me|us)(?= (?:to|as)\b)|(?:like|as) (?:me|us)\b|of (?:me|us)(?= \w+ing\b))/g;
const QUESTION_WORD = /^(?:what|which|who|whom|whose|where|when|why|how)\b/;
/** “(Explain gravity) to me”: the speaker receives the answer. */
const RECIPIENT =
  /\b(?:to|for|with|give|tell|show|notify) (?:me|us)\b|\b(?:compare|describe|explain) me(?= (?:an?|the)\b)|\blike i am (?:five|5)\b/g;

/** The beginnings of a statement. */
const SUBJECT =
  /^(?:i|we|he|she|they|it|this|that|these|those|you|our|my|the|an?|there|today|yesterday|once|last|lastly|finally|because|since(?! (?:how|what|when)\b)|as|while|after|before|thanks|thank)\b/;
/** The end of a question without a question mark: “… is what”, “…, isn't it”, “…, right”. */
const QUESTION_END =
  /\b(?:what|which|who|where|when)(?: \w+)?$|\b(?:am|is|are|do|does|did|was|were|have|has|can|will) (?:not )?(?:i|it|he|she|they|we|you)$|\b(?:right|correct|yes or no|mine)$/;
const THING = /^(?:my|our|the|an?|this|that|these|those)\b/;
/** A thing, a verb and more: “my dog is ill”, and not “my shoe size (is)”. */
const SAYS_OF_THING =
  /^(?:\S+ ){2,8}(?:is|are|was|were|has|have|had|does|do|did|can|could|will|would|not|keeps?|needs?|wants?|goes|went|ate) \S/;
/** The beginning of a condition, which the rest of the sentence follows: “When I broke my arm, …”. */
const CONDITION =
  /^(?:after|as|because|before|for|if|in|on|since|when|whenever|while|with) (?!(?:am|are|can|could|did|do|does|had|has|have|how|is|should|was|were|what|when|which|who|whom|whose|will|would)\b)/;
/** A question for what a clause before it names: “What is it?”, “Which?”, “Does she like Mrs?”. */
const REFERRING: readonly RegExp[] = [
  /^(?:(?:in|on|at|to|from|with) )?(?:what|which|whose|who|where|when)(?: one)?(?:(?: \w+)? (?:(?:is|was|were|are) (?:it|he|she|they|(?:his|her|its|their)(?: \w+){1,2})|(?:was|were|is the one) that))?(?: again)?$/,
  /^(?:(?:what|which|who|where|when|how)(?: \w+)? )?(?:does|do|did|has|have|had) (?:he|she|they|(?:his|her|their) \w+)\b/,
  /^(?:what|which|who|where|when|how)(?: \w+)? (?:is|are) (?:he|she)\b|^how (?:many|much|old|tall) (?:\w+ )?are they\b|^(?:is|are) (?:he|she|they) (?:allergic|at|from|in|on|still)\b/,
  /^(?:until )?(?:when|where) (?:\w+ )?(?:does|do|did|is|are|was|were) (?:it|they)\b/,
  /^(?:\w+ )?(?:what|which|who|where|when|how)\b(?: \w+){0,3} (?:(?:was|were|did|had) (?:it|he|she|they|the)\b|(?:was|were) (?:in|on|there)\b|(?:it|they|he|she) (?:was|were|had|did)\b)(?: \w+){0,2}$/,
  /^what (?:is|was) the (?:\w+ ){0,2}(?:address|code|colou?r|date|model|name|number|password|pin|size|time|title)(?: (?:at|for|of|on) the(?: \w+){1,3})?$/,
];
/** A question for a record at the end of a supposition: “Suppose I forgot my PIN, what is it?”. */
const ASKS_RECORD = / (?:what|when|where|who) (?:is|are) (?:it|my|our)\b/;
/** Words that begin no question: “gum in my hair”, “locker code of mine” is another thing. */
const FRAGMENT =
  /^(?!(?:what|which|who|whom|whose|where|when|why|how|my|our|the|am|are|can|could|did|do|does|had|has|have|is|should|was|were|will|would)\b)(?!.*\b(?:of|for) (?:my|mine|me|our)\b)/;
/** Words of a statement that asks, unless something else in the text does: “I need the date of …”. */
const WONDERS =
  /\b(?:asks?|asked|asking|blank|escape[sd]?|find|forget|forgot|forgotten|hear|hold of|interests?|know|knows|look(?:ing)? for|lost track|mind|mislaid|recall|remember|remind|search(?:ing)?|sure|tell|think of|whether|what|which|whose|wonder(?:s|ing)?)\b|\b(?:i|we) (?:\w+ ){0,2}(?:need|want)\b|^(?:need|want)\b|\b(?:needs|wants) (?:my|our|the|to know)\b|\b(?:date|name|number) of (?:my|our|the)\b|\b(?:head|memory)$/;
/** A wish for something new: “My essay needs a catchy title”, “I want to learn Spanish”. */
const WISHES =
  /\b(?:needs?|wants?|would (?:like|love)|look(?:ing)? for|could use) (?:an?|another|any|good|help|new|some|two|three|five|ten|[0-9]+)\b|\b(?:hope|need|plan|want|wish|would (?:like|love)) (?:you )?(?:that you|to) (?!find\b|give me\b|say\b|show me\b|tell\b|have\b|hear\b|know\b|recall\b|remember\b|see\b)/;
/** A question that a statement about oneself leads to, and that is for advice: “What now?”. */
const OPEN =
  /^(?:(?:and |so |now )*(?:what|how|why)(?: now| next| else| then)?$|why\b|any\b|thoughts\b|too \w+$|(?:what|which)(?: \w+)? (?:could|can|might|would|to|helps?|works?|causes?)\b|what (?:is|went) wrong\b|what is (?:that|this)$|is (?:that|this) (?:so|ok|okay|bad|normal)\b|is there (?:a|an|any)|(?:does|do|will) (?:it|that|they) (?:need|hurt|matter)\b|how (?:is it|does one|do people)\b)|\b(?:experts?|good|better|best|more \w+|to be done|weather|difference|english)\b|(?<!(?:it|that|this) )about$|\bmeans?$|^(?:\w+able|coincidence|normal)$/;
const SENTENCE_END = /(?<=[.?!…])\s+|\n+/;
/** The boundary before a question: “My dog is ill, what can I do?” */
const BEFORE_QUESTION =
  /(?:[,;:–—]| -) (?:(?:so|and|but|or|yet|then|only|i mean) )*(?=(?:(?:to|in|at|on|from|with|for|by|of|until|since) )?(?:what|how|when|which|where|whom?|whose)(?:s|'s|'d|d)?\b|(?:why|should|can|could|will|would|is|are|am|was|were|do|does|did|have (?:i|you)|has|any|tell|ask|suggest|explain|write|help|give|show|paste|name|quote|read|repeat)\b)|\s(?=and (?:tell|what|who|where|when|which|how)\b)/;
const POLITE =
  /(?:^|,? )(?:thanks|thank you|please|pls|cheers|lol|haha|tho|i have no (?:clue|idea))(?: (?:a lot|so much|very much|in advance))?[.!]*$/;

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
  let isPersonal = false;
  for (const [index, clause] of clauses.entries()) {
    const one = sentenceOf(clause, hasNumbers, index === clauses.length - 1);
    const words = plainWords(clause);
    const before = found.at(-1)?.kind;
    const isReferring =
      REFERRING.some((pattern) => pattern.test(words)) ||
      (one.kind === 'question' && before !== 'advice' && before !== 'task' && !OPEN.test(words));
    found.push(isPersonal && isReferring ? { ...one, kind: 'question', isPersonal: true } : one);
    isPersonal ||= one.isPersonal;
    // What follows a colon is the text to work on.
    if (one.isOnText && /:(?:\s|$)/.test(clause)) break;
  }
  const isWork = found.some(({ kind }) => kind === 'advice' || kind === 'task');
  return found.map((one) =>
    one.kind === 'statement' && !isWork && asks(plainWords(one.text))
      ? { ...one, kind: 'question' }
      : one,
  );
}

/** True for a statement that asks, if nothing else in the text does. */
const asks = (words: string): boolean =>
  (!SUBJECT.test(words) && !/\bhelp\b/.test(words)) ||
  (WONDERS.test(words) && !WISHES.test(words)) ||
  collects(words);

function sentenceOf(clause: string, hasNumbers: boolean, isLast: boolean): Sentence {
  const all = plainWords(clause);
  const asked = `${all} `.replace(ASKING, '').trim();
  const isRequest = asked !== all;
  const unquoted = isTask(asked) || ABOUT_A_QUOTE.test(asked) ? clause.replace(QUOTED, '') : clause;
  const words = unquoted === clause ? asked : `${plainWords(unquoted)} `.replace(ASKING, '').trim();
  const content = (QUESTION_WORD.test(words) ? words : words.replace(RECIPIENT, '')).replace(
    ANYBODY,
    '',
  );
  return {
    text: unquoted.replace(/(?<![\s?.!])[\s?.!]+$/, ''),
    kind: kindOf(),
    isPersonal: FIRST_PERSON.test(content) || HOUSEHOLD.test(content),
    isOnText: worksOnText(asked),
  };

  function kindOf(): SentenceKind {
    if (
      (isAboutEarlier(all) || isAboutEarlier(asked)) &&
      !(worksOnText(asked) && clause.includes(':'))
    )
      return 'earlier';
    const supposes = isSupposition(all);
    if (supposes && !hasNumbers && ASKS_RECORD.test(all)) return 'question';
    if (isTask(asked) || (worksOnText(asked) && clause.includes(':'))) return 'task';
    if (supposes || isAdvice(asked) || (hasNumbers && wantsResult(asked))) return 'advice';
    if (HELP.test(asked)) return 'statement';
    if (
      !isLast &&
      (CONDITION.test(all) || (!isRequest && !clause.includes('?') && FRAGMENT.test(all)))
    )
      return 'statement';
    const isStatement = !isRequest && SUBJECT.test(all) && !/\?["')\s]*$/.test(clause) && states();
    return isStatement ? 'statement' : 'question';
  }

  function states(): boolean {
    if (QUESTION_END.test(all)) return false;
    if (!isLast || !THING.test(all)) return true;
    return SAYS_OF_THING.test(all) || statedAbout(clause) !== null;
  }
}
