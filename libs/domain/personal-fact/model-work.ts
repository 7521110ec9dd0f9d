/**
 * What a language model may answer although it is about the speaker (SPEC A1). All patterns meet the
 * plain words of a clause, without the words that only ask. A wording that is missing here costs an
 * answer; one too many lets a model make a fact up.
 */

const listed = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Verbs that ask for something new, or for work on something that the text contains. */
const TASKS = listed(
  'act adapt add analyse analyze arrange be brainstorm build calculate change cheer choose come ' +
    'compare compose compute continue convert convince correct create critique debug decide ' +
    'delete design develop draft draw edit estimate expand explain fix format generate help ' +
    "imagine improve integrate invent let's make motivate note open optimise optimize organise " +
    'organize outline paraphrase plan play polish pretend proofread quiz recommend rephrase ' +
    'review rewrite role roleplay save schedule sell set shorten simplify sing solve store ' +
    'suggest summarise summarize talk teach translate turn update wake walk wish write',
);
/** Verbs whose object may follow a colon: “Translate this: Where do I live?”. */
const WORKS_ON_TEXT = listed(
  'analyse analyze convert correct debug edit expand fix format improve outline paraphrase polish ' +
    'proofread rephrase review rewrite shorten simplify summarise summarize translate turn',
);
/** After one of these words, “design” and “plan” are nouns. */
const AFTER_NOUN = listed('of is are was were did do');
/** “Make a list of my allergies” and “help me remember where I parked” ask for facts. */
const COLLECTS =
  /\b(?:list|overview|summary|table) of (?:all )?(?:my|our|what i|the things i)\b|^help (?:me|us) (?:to )?(?:find my|recall|remember)\b/;

/** “Explain what I owe” asks for a fact. */
const EXPLAINS_RECORD =
  /^explain (?:again |once more |to me |to us )*(?:what|which|who|where|when|how (?:much|many|often|old)) (?:i|my|our|we)\b/;

/** True for a request for work: “write my cover letter”, “work out my share”. */
export function isTask(words: string): boolean {
  const [first = '', second = ''] = words.split(' ', 2);
  if (first === 'work') return second === 'out';
  if (first === 'think') return second === 'of';
  if (first === 'describe') return second === 'how';
  if (first === 'explain') return !EXPLAINS_RECORD.test(words);
  return TASKS.has(first) && !AFTER_NOUN.has(second) && !COLLECTS.test(words);
}

/** True for a request whose text after a colon is the object, and not the speaker's own words. */
export const worksOnText = (words: string): boolean =>
  WORKS_ON_TEXT.has(words.split(' ', 1)[0] ?? '');

const ADVICE: readonly RegExp[] = [
  // “What should I …”, “the books I could …”, “Where can I …”
  /\b(?:should|shall|must|may|ought|might|can|could) (?:i|we|my|our|one)\b/,
  /\b(?:i|we) (?:should|could|can|must|might)\b/,
  /^how (?:to|(?:do|can|could|would) (?:i|we|you|one)|will (?:i|we) know)\b/,
  /\bwould (?:i|we)\b|^would my\b/,
  // “Do I need a visa”, “What am I supposed to …”, “Where do I start”
  /\b(?:do|does|will|would) (?:i|we|my \w+|our \w+) (?:need|have to)\b|\b(?:i|we) need (?:for|to)\b/,
  /\b(?:am|are) (?:i|we) (?:allowed|supposed|required) to\b|^am i (?:too|wrong|right) \w+/,
  /^(?:where|how|what|who) do i (?:start|begin|do|put|call) (?:about|if|in|on|the|when|with)\b|\bdo i (?:do|do now|start)$|^where do (?:i|we) (?:find|get|buy) (?!my\b|our\b)/,
  // “Is it safe to …”, “Is there a way to …”, “the best way to …”
  /^(?:is|was|would) it (?:be )?(?:a )?(?:too )?(?:ok|okay|safe|normal|possible|legal|illegal|worth|bad|good|better|worse|fine|wrong|rude|polite|allowed|healthy|unhealthy|necessary|advisable|dangerous|harmful|common|weird|hard|easy|late)\b/,
  /^(?:is|are) there (?:an?|any|some) (?:\w+ )?(?:way|ways|app|apps|name|term|tool|tools|trick|tricks|word)\b/,
  /^(?:what|which|who|where|when)? ?(?:is|are|would be)? ?(?:an?|any|some|the)? ?(?:good|best|better|nice|polite|healthy|cheap|easy|easiest|quickest|fastest|cheapest|safest|simplest)\b(?! (?:friends?|man)\b)/,
  /^(?:(?:any|some|more|an?|the|few|two|three|four|five|ten|[0-9]+|good|got|do|have|you) )*(?:ideas?|tips|advice|suggestions?|recommendations?|recipes?|feedback|examples?)\b/,
  // Something new: “(tell me) a bedtime story”, “(list) pros and cons of …”
  /^(?:an?|some|another|few|two|three|five|ten) (?:\w+ ){0,3}(?:headlines?|jokes?|limerick|lyrics|metaphors?|mnemonic|poem|riddle|slogans?|song|story|toast|tongue twister)\b|^(?:the )?pros and cons\b/,
  /\bdo you (?:think|recommend|suggest|believe)\b|\bwould you (?:recommend|suggest|do|advise|choose)\b|^what would you\b/,
  /^would (?!i\b|my\b|our\b|we\b|you\b)\w+ /,
  // Reasons, effects, meanings, suppositions
  /^why (?:is|are|does|do|will|can|should|would)(?: not)? (?!i\b)/,
  /^why (?:(?:can|should|would)(?: not)? i\b|(?:do|am) i\b.*\b(?:when|after|if|always|so|get|feel|keep)\b)/,
  /^(?:does|do|will|can|is|are) (?!i\b|we\b|you\b|any)(?:\w+ )+(?:cause|hurt|harm|damage|affect|make|matter|safe)\b/,
  /^what (?:makes my|would happen|happens|if|else|is the difference|does .* mean\b|does it mean|are my (?:options|rights)|are the (?:steps|side effects))\b/,
  /\bcost (?:me|us) to\b|^who am i (?:talking|speaking|chatting) (?:to|with)$/,
];

/** What looks like advice but asks for a record: a habit, an ability, an agenda, the past. */
const RECORD: readonly RegExp[] = [
  /\b(?:usually|normally|typically|generally(?! speaking)|prefer|preferred|rather|favou?rite|would (?:i|my|we) (?:like|love|want))\b/,
  /\b(?:because of|based on|given|according to) (?:my|our|what)\b/,
  /^how (?:do|would) (?:i|we|you) (?:like|love|feel|look|commute|travel|earn|(?:call|describe|drink|eat|have|pronounce|spell|take) (?:my|me|our|us)|know (?!if|whether|when|that|which|what|how))\b/,
  /^how do (?:i|we) .*\b(?:home|to (?:work|school|college|church))$/,
  /\bcan (?:i|we) (?:not|speak|play)\b|\bcan (?:i|we) find (?:my|our)\b|^(?:what )?can (?:i|we) (?!(?:do|help|say|take|try|use)$)[a-z]+$/,
  /^(?:what|which|who|where) .*\bcan not (?:i|we)\b/,
  /\b(?:need|have|supposed) to (?:be\b|(?:\S+ ){0,6}(?:today|tonight|tomorrow|[a-z]+day|weekend|this (?:week|month|year))\b)/,
  /^(?:when|what time|at what time) (?:must i|do (?:i|we) (?:have|need) to)\b/,
  /^(?:(?:what|which|who|when|where|why|how)(?: \w+)? )?(?:did|was|were|had|has)\b|\bhave (?:i|we|my|our)\b/,
  /\b(?:i|we) (?:did|was|had|ever|already)\b|\b(?:i|we) (?:drive|got|have|own|use|wear)$/,
  /\b(?:said|says|say that) (?:i|we)\b|\bthe ones? (?:i|we) \w/,
];

const SUPPOSITION =
  /^(?:(?:and|but|hey|ok|okay|please|so|well) )*(?:say i|(?:if|suppose|supposing|assume|assuming|imagine|pretend) (?:i|my|we|our|an?|the|there))\b/;

const meets = (patterns: readonly RegExp[], words: string): boolean =>
  patterns.some((pattern) => pattern.test(words));

/** True for a question for advice, permission, reasons or effects. */
export const isAdvice = (words: string): boolean => meets(ADVICE, words) && !meets(RECORD, words);

/** True for “If I save 200 a month, …” and “Suppose I won …”. */
export const isSupposition = (words: string): boolean =>
  SUPPOSITION.test(words) && !meets(RECORD, words);

/** A number that is not a year. */
const NUMBER = /(?<![\p{L}\p{N}])(?!(?:19|20)[0-9]{2}(?![0-9]))[0-9]/gu;
const RESULT =
  /^(?:how (?:much|many|long|far|fast|big)|what (?:do|will) i|is (?:that|it) enough|when (?:do|will) i)\b|%|\b(?:average|bmi|pace|percent|share|speed|total)\b/;

/** True if a text has at least two numbers, from which a question can have a result. */
export const givesNumbers = (text: string): boolean => (text.match(NUMBER)?.length ?? 0) >= 2;

/** True for a question for the result of a calculation: “How much is left?”. */
export const wantsResult = (words: string): boolean => RESULT.test(words);
