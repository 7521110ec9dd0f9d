import { codePoints, tokensOf } from '../episode/tokens.js';
import { isSupposition, isTask } from '../personal-fact/model-work.js';
import { plainWords } from '../personal-fact/plain-words.js';
import { ASKING } from '../personal-fact/sentence.js';
import { LANGUAGES, type LanguageName } from '../search/languages/language.js';
import { keysOf } from '../keys-of.js';
import { finished, type Slices } from '../slices.js';
import { MAX_KEPT, MAX_SENTENCES, MAX_TEXT } from './limits.js';

/** The version of the rules below. It is recorded with each memory that they kept (SPEC W1). */
export const KEEPING_RULES = 1;

/** Why a sentence is kept. Events store these names, so the names never change. */
export const KEPT_BECAUSE = [
  /** The person asked for it: “Remember that …”. */
  'asked',
  /** How the assistant is to behave from now on: “Never use emojis”. */
  'instruction',
  /** A statement about the speaker, or somebody or something of theirs. */
  'about_you',
  /** The text is in a language without rules, and is not a question. */
  'other_language',
] as const;
export type KeptBecause = (typeof KEPT_BECAUSE)[number];

/** Why a sentence is not kept. */
export const NOT_KEPT_BECAUSE = [
  ...['question', 'task', 'small_talk', 'quotation', 'supposition', 'not_about_you'],
  ...['too_long', 'too_many', 'sensitive', 'asked_to_forget'],
] as const;
export type NotKeptBecause = (typeof NOT_KEPT_BECAUSE)[number];

export interface KeptSentence {
  readonly text: string;
  readonly because: KeptBecause;
}
export interface NotKept {
  readonly text: string;
  readonly reason: NotKeptBecause;
}

/** What lasts of a person's words. */
export interface Sorted {
  readonly kept: readonly KeptSentence[];
  readonly not_kept: readonly NotKept[];
}

const SENTENCE = /(?<=[.!?…。！？؟]["'”’»)]{0,3})\s|(?<=[。！？])|\n/u;
/** The closing mark of each opening one. */
const QUOTES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”'],
  ['«', '»'],
  ['„', '“'],
  ["'", "'"],
]);
/** Longer quotations are not recognised. */
const MAX_QUOTED = 500;
/** Within a word, an apostrophe does not quote. */
const BEFORE_QUOTE = /^$|[\s:,(]/;
const AFTER_QUOTE = /^$|[\s.,;:!?)]/;

/** Returns the parts of a text, those in quotes apart. It looks at each character a fixed number of times. */
function partsOf(text: string): readonly { readonly text: string; readonly isQuoted: boolean }[] {
  const parts: { text: string; isQuoted: boolean }[] = [];
  const closings = new Map<string, number>();
  let begun = 0;
  for (let at = 0; at < text.length; at += 1) {
    const closing = QUOTES.get(text[at]!);
    if (closing === undefined) continue;
    const isApostrophe = closing === "'";
    if (isApostrophe && !BEFORE_QUOTE.test(text[at - 1] ?? '')) continue;
    let end = closings.get(closing) ?? -1;
    if (end <= at) end = text.indexOf(closing, at + 1);
    closings.set(closing, end < 0 ? Infinity : end);
    if (end < 0 || end - at > MAX_QUOTED) continue;
    if (isApostrophe && !AFTER_QUOTE.test(text[end + 1] ?? '')) continue;
    parts.push({ text: text.slice(begun, at), isQuoted: false });
    parts.push({ text: text.slice(at, end + 1), isQuoted: true });
    begun = end + 1;
    at = end;
  }
  parts.push({ text: text.slice(begun), isQuoted: false });
  return parts;
}

/** Decides, sentence by sentence, what of a person's words is kept (SPEC W1). */
export const sortSentences = (said: string): Sorted => finished(sortingSentences(said));

/** The same in slices, one for each sentence. */
export function* sortingSentences(said: string): Slices<Sorted> {
  const kept: KeptSentence[] = [];
  const not_kept: NotKept[] = [];
  const isEnglish = languageOf(said) === 'english';
  let isOthers = false;
  let wasKept = false;
  for (const [place, text] of sentencesIn(said).entries()) {
    yield;
    if (place >= MAX_SENTENCES) {
      not_kept.push({ text, reason: 'too_many' });
      continue;
    }
    const verdict: Verdict = isOthers
      ? 'quotation'
      : isEnglish
        ? inEnglish(text, wasKept)
        : inOther(text);
    isOthers ||= isEnglish && verdict === 'task' && BEGINS_TEXT.test(text);
    wasKept = isKept(verdict);
    const last = kept.at(-1);
    if (verdict === 'continues' && last !== undefined) {
      const longer = `${last.text} ${text}`;
      if (codePoints(longer) <= MAX_TEXT) kept.splice(-1, 1, { ...last, text: longer });
      else not_kept.push({ text, reason: 'too_long' });
    } else if (!isBecause(verdict)) not_kept.push({ text, reason: verdict as NotKeptBecause });
    else if (codePoints(text) > MAX_TEXT) not_kept.push({ text, reason: 'too_long' });
    else if (kept.length === MAX_KEPT) not_kept.push({ text, reason: 'too_many' });
    else kept.push({ text, because: verdict });
  }
  return { kept, not_kept };
}

/** Returns `instruction` for a text that is one standing instruction, and null for any other (SPEC W2). */
export function becauseOf(text: string): KeptBecause | null {
  const { kept, not_kept } = sortSentences(text);
  const [only] = kept;
  const isInstruction = kept.length === 1 && only?.because === 'instruction';
  return isInstruction && not_kept.length === 0 ? 'instruction' : null;
}

type Verdict = KeptBecause | NotKeptBecause | 'continues';

const isBecause = (verdict: Verdict): verdict is KeptBecause =>
  (KEPT_BECAUSE as readonly string[]).includes(verdict);
const isKept = (verdict: Verdict): boolean => verdict === 'continues' || isBecause(verdict);

/** Returns the sentences of a text as they are written. The text in quotes is one piece. */
function sentencesIn(said: string): string[] {
  const quotes: string[] = [];
  const hidden = partsOf(said)
    .map(({ text, isQuoted }) => (isQuoted ? `\u0000${quotes.push(text) - 1}\u0000` : text))
    .join('');
  return hidden
    .split(SENTENCE)
    .map((one) => one.replace(/\u0000(\d+)\u0000/g, (_, place: string) => quotes[Number(place)]!))
    .map((one) => one.trim())
    .filter((one) => /[\p{L}\p{N}]/u.test(one));
}

/** Returns the language whose most frequent words a text has most of; English if it has none of any. */
function languageOf(text: string): LanguageName | undefined {
  const letters = text.match(/\p{L}/gu) ?? [];
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter));
  if (latin.length * 2 < letters.length) return undefined;
  const tokens = tokensOf(text);
  const hits = (name: LanguageName): number =>
    tokens.filter((token) => LANGUAGES[name].stopWords.has(token)).length;
  return keysOf(LANGUAGES).reduce(
    (best, name) => (hits(name) > hits(best) ? name : best),
    'english',
  );
}

const inOther = (text: string): Verdict =>
  /[?？؟;]["'”’»)\s]*$/u.test(text) ? 'question' : 'other_language';

/** The beginning of a text to work on: “Translate this: …”. */
const BEGINS_TEXT = /:\s*(?:$|["“'«]?\S)/;

const OPENING =
  /^(?:(?:please|pls|hey|hi|hello|ok|okay|oh|so|well|and|also|btw|by the way|fyi|just|right|now|one more thing|for the record|i want you to|i need you to|i would like you to|you should|make sure to|can you|could you|will you|would you)(?: |$))+/;
/** Words before what is said again: “… I am vegan”. */
const TOLD =
  /^i (?:have )?(?:already |just )?(?:told you|said|mentioned)(?: already| before)?(?: that)? (?=(?:i|my|we|our) )/;
const REMEMBER =
  /^(?:remember(?! (?:when|what|how|where|who|why|which|the time)\b)|keep in mind|bear in mind|keep a note|make a note|take note|note (?:that|down)|note my|save (?:that|my|this)|do not forget|never forget|do not let me forget)\b/;
/** A request to forget; what it means is for the caller to find. */
const FORGET =
  /^(?:forget|delete|erase|remove|stop remembering|do not remember)\b(?! (?:about )?(?:it|that|this)$)/;
/** A secret, by its name: nobody should keep it. */
const SECRET =
  /\b(?:pass(?:words?|codes?|phrases?)|pin(?: code| number)?|cvv|cvc|security code|(?:api|secret|private|access) (?:keys?|tokens?))\b/;
const ALWAYS =
  /\b(?:always|never|ever|from now on|from today|going forward|in (?:the )?future|at all times|by default|every time|each time|whenever|any ?time|unless i)\b/;
/** What an assistant is to do, or not to do. */
const IMPERATIVE =
  /^(?:(?:always|never|only|in future|in the future|from now on|from today|going forward|by default) )*(?:do not|stop|avoid|quit|skip|use|call|address|answer|reply|respond|speak|talk|write|keep|give|be|stick|treat|assume|format|send|show|tell|remind|ask|add|include|put|leave|prefer|check|explain|sign|start|suggest|recommend|refer|spell|convert|round|quote|cite|mention|say|make)\b/;
const WHEN_YOU =
  /^(?:when(?:ever)?|if|every time|each time|any ?time) (?:you|i (?:ask|say|write|tell|send|paste|give|want)) .+[, ](?:use|give|write|answer|reply|keep|call|say|be|speak|do|always|never|make|put|show|add|include|skip|start|ask|tell|send|format|remind)\b/;
const NEVER_DO =
  /^(?:do not|stop|avoid) (?!worry|bother|know|think|get|mind|panic|be (?:silly|sorry|mad|afraid))\w+/;
/** “km please, not miles”, “bullet points only”. */
const WANTED_FORM =
  /^(?!.*\b(?:can|could|is|are|do|does)\b)(?:[\w'-]+ ){1,4}(?:please not|only|instead of|rather than)\b/;
const PREFERRED_FORM = /^(?!no\b|yes\b|ok\b)(?:[\w'-]+ ){1,3}(?:please|pls)$/;

/** “Call me Sam”, “keep your answers short”, “answer in French”. */
const TO_ASSISTANT =
  /^(?:call|address) (?:me|us)\b|^keep (?:your |the |all )?(?:answers?|replies|responses|messages|explanations|it) \w|^be (?:more |less |very )?(?:brief|concise|short|polite|direct|honest|formal|informal|friendly|patient|strict|kind)\b|^no \w+(?: \w+)? (?:please|pls)$|\byour (?:answers|replies|responses|messages|explanations)\b|^(?:answer|reply|respond|speak|talk|write)(?: (?:to|with) me)? (?:in|like|as|to me|with me)\b|\bwith me (?:in|like)\b/;

const QUESTION_WORDS =
  /^(?:(?:and|but|so|or|then|wait|hmm|um) )*(?:what|which|who|whom|whose|where|when|why|how|am|is|are|was|were|do|does|did|can|could|will|would|should|shall|may|might|have|has|had|any(?:one|body)?|anything|got any)\b/;
const WHEN_CLAUSE = /^(?:when|whenever|whatever|what) (?:i|we|my|our|you) (?!\w+\?)(?:\S+ ){2,}/;
const WONDERS =
  /\bi (?:was |am |just |also |do )*(?:wonder|wondering|curious)\b|\bi (?:have|had|got) (?:a |another |one more |some )?(?:quick )?questions?\b|\b(?:tell|show|remind|teach) me\b(?! to\b)|\bi (?:want|would like|need|would love) to (?:know|see|hear|understand|find out|learn (?:how|about|more))\b|\bdo you (?:know|think|have|remember)\b|\bany idea\b/;
const WANTS_WORK =
  /\bi (?:\w+ )?(?:need|want|would like|would love|require) (?:you|your help|help|some help|an? (?:\S+ ){0,5}(?:recipe|note|summary|list|name|idea|table|email|e-mail|letter|poem|plan|story|essay|reply|answer|caption|title|slogan|joke|song|outline|draft|template|script|function|query|example|itinerary|message|speech|bio|tweet|post|paragraph|sentence|explanation|overview|translation|synonym|word|quote|toast|schedule|workout|menu|review|headline))\b|\bhelp me\b|\bi am (?:looking for|stuck (?:on|with|at)|struggling with|trying to (?:understand|figure|find|fix|write|solve|get|decide|come up))\b|\b(?:ideas?|suggestions?|tips|recommendations?) (?:for|on|please)\b|\b(?:make|turn|rewrite|rephrase|shorten|fix|try|do) (?:it|this|that|them|again)\b|^try again\b|\btry again\b|^(?:again|more|another|next|continue|go on|go ahead|shorter|longer)\b|^act as\b|^(?:compare|list|show|find|look up|search|check|proofread|summari[sz]e|translate|plan|give me|tell me|explain|rewrite|paraphrase|improve|edit|convert|calculate|solve|write|draft|generate|create|make me|recommend|suggest|describe|define|fix|debug|name|pick|choose|read|review|sort|count|play|tell)\b/;

const SMALL_TALK =
  /^(?:(?:hi|hello|hey|yo|good (?:morning|afternoon|evening|night|day)|morning|evening|happy|merry|thanks|thank|thx|ty|cheers|bye|goodbye|see you|see ya|later|talk (?:to you )?(?:later|soon)|ok|okay|k|cool|wow|whoa|nope|no|nah|yes|yeah|yep|yup|sure|great|nice|perfect|awesome|amazing|lol|haha|hahaha|hm+|um+|ah|oh|right|exactly|indeed|true|alright|fine|got it|sounds|makes sense|never mind|nevermind|you are|that is|it is|this is|that|good|well done|welcome|sorry|oops|congrats|brilliant|lovely|interesting|fair|damn|ugh|omg|gotcha|understood|noted|done|deal)\b)/;
/** What people say of the conversation, or of the moment, and not of themselves. */
const REACTION =
  /\bi (?:did not know|see|understand|agree|disagree|doubt|guess|suppose|bet|mean|meant|get it|got it|know right|know|hear you|appreciate|trust you|owe you|hope|wish you)\b|\bi (?:do not |really |just )*(?:think|believe|understand|get|like|love|hate|mean) (?:that|it|this|so|what you|the (?:second|first|last|third|idea))\b|\bi (?:was|am) (?:asking|saying|kidding|joking|back|sorry|glad you|happy to help|confused|lost|done|ready|good|fine|ok|okay|just (?:asking|checking|kidding))\b|\bi (?:said|asked|told|typed|pasted|wrote|already (?:said|told))\b|\blet me (?:know|think|check|see|try)\b|\bgive me a (?:sec|second|minute|moment)\b|\bi will (?:try|check|think|let you|be back|get back|do that|take|read)\b|\byou (?:are|were) (?:right|wrong|welcome|the best|great|amazing|funny|kidding|smart)\b/;
const REPORTS =
  /\b(?:said|says|say|saying|wrote|writes|reads|goes|quote|quoted|article|according|replied|claims?|claimed|asked|states?|put it|supposedly|email|text|message|customer|character|book|song|lyrics?|headline|title|called|bio|review)\b/;

/** “My boss wrote: …”: what follows are another's words. */
const REPORTED =
  /\b(?:said|says|wrote|writes|texted|emailed|posted|told me|replied|asked|quote|reads)\b[^:.!?]{0,60}:\s/;

const FIRST_PERSON = /\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves)\b/;
const HOME =
  /^(?:the )?(?:twins|kids|children|baby|boys|girls|husband|wife|missus|dog|cat|landlord|in-laws|mum|mom|dad|mother|father|grandma|grandpa|nan)\b/;
/** A statement whose subject, the speaker, is left out: “Broke my arm”, “got dyslexia”, “going with Postgres”. */
const WITHOUT_SUBJECT =
  /^(?:(?:just|recently|currently|still|now|also|finally|only|been|not|no longer|usually|mostly|actually) )*(?:got|broke|switched|moved|started|quit|sold|bought|lost|found|married|divorced|retired|graduated|passed|failed|joined|left|finished|adopted|had|have|living|working|studying|learning|training|trying|going|using|building|allergic|vegan|vegetarian|diagnosed|born|raised|based|pregnant|engaged|single|left-handed|dyslexic|colou?r ?blind|diabetic|gluten|lactose|love|hate|prefer|like|can not stand|can not|do not|does not|did not|sleep|live|work|drive|ride|play|run|speak|grew|grow|own|rent|need|want|qualified|signed|booked|planning|hoping|saving)\b/;
const DECISION =
  /\b(?:let us|let's) (?:go with|stick (?:with|to)|settle on)\b|\b(?:decided|settled) (?:on|to|that|against)\b|\bfinal (?:answer|decision)\b|\bthe plan is\b/;
const HABIT =
  /\b(?:(?:every|each|most) (?:other )?(?:day|week|month|year|morning|afternoon|evening|night|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: (?:morning|afternoon|evening|night)s?)?|mornings|evenings|weekends|without fail|usually)\b/;
const REFERS =
  /^(?:(?:and|but|also|so) )*(?:he|she|they|it|his|her|their|its|that|those|these|both|who|which|there|because|especially|mostly|mainly|only|not|since|as|same|plus|with|from|until|so far)\b/;
const MAX_FRAGMENT_WORDS = 10;
/** A number that may say more than how many: nobody asked to keep it. */
const MANY_DIGITS = /(?:\d ?){7}/;

function inEnglish(text: string, wasKept: boolean): Verdict {
  const plain = text
    .replace(/[’‘ʼ`´]/g, "'")
    .normalize('NFKC')
    .toLowerCase();
  const unquoted = partsOf(plain)
    .map(({ text: part, isQuoted }) => (isQuoted ? ' ' : part))
    .join('');
  const hasQuote = unquoted !== plain;
  const all = plainWords(unquoted);
  const isAsked = /\?["'”’»)\s]*$/.test(unquoted);
  const words = all.replace(OPENING, '').replace(TOLD, '');
  if (words === '') return hasQuote ? 'quotation' : 'small_talk';
  if (SECRET.test(all)) return 'sensitive';
  if (FORGET.test(words)) return 'asked_to_forget';
  if (REMEMBER.test(words)) return 'asked';
  if (
    hasQuote &&
    REPORTS.test(all) &&
    !/\b(?:i|we) (?:am|have|are|like|love|hate|want)\b/.test(all)
  )
    return isTask(words) ? 'task' : 'quotation';
  if (isSupposition(all) || /^(?:if i (?:were|was|won|had)|suppose|imagine|what if)\b/.test(all))
    return 'supposition';
  if (isInstruction(words, isAsked)) return 'instruction';
  const asked = `${all} `.replace(ASKING, '').trim();
  if (REPORTED.test(unquoted)) return 'quotation';
  if (isAsked || WONDERS.test(all) || (QUESTION_WORDS.test(all) && !WHEN_CLAUSE.test(all)))
    return isTask(asked) ? 'task' : 'question';
  if (wasKept && /^[\p{Sc}\d]/u.test(words) && !MANY_DIGITS.test(words)) return 'continues';
  if (DECISION.test(all)) return 'about_you';
  if (WANTS_WORK.test(all) || WANTS_WORK.test(words) || isTask(words)) return 'task';
  if (REACTION.test(words)) return 'small_talk';
  const isAbout =
    FIRST_PERSON.test(all) || HABIT.test(all) || HOME.test(words) || WITHOUT_SUBJECT.test(words);
  if (SMALL_TALK.test(all) && !FIRST_PERSON.test(all)) return 'small_talk';
  if (isAbout) return 'about_you';
  const isFragment = words.split(' ').length <= MAX_FRAGMENT_WORDS;
  const isContinued = REFERS.test(words) || isFragment;
  if (wasKept && isContinued && !MANY_DIGITS.test(words)) return 'continues';
  return hasQuote ? 'quotation' : 'not_about_you';
}

function isInstruction(words: string, isAsked: boolean): boolean {
  if (isAsked) return false;
  if (WHEN_YOU.test(words) || NEVER_DO.test(words)) return true;
  if (WANTED_FORM.test(words) || PREFERRED_FORM.test(words) || TO_ASSISTANT.test(words))
    return true;
  if (!ALWAYS.test(words)) return false;
  return IMPERATIVE.test(words) || /\b(?:you|your)\b|^(?:from now on|always|never)\b/.test(words);
}
