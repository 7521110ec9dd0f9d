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
    'organize outline paraphrase pick plan play polish pretend proofread propose quiz recommend rephrase ' +
    'review rewrite roast role roleplay save schedule sell set shorten simplify sing solve store ' +
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
  /\b(?:list|overview|summary|table|timeline) of (?:(?:all|everybody|everyone|everything|the|that|things|what) )*(?:my|our|i|we)\b|^(?:help|make|let) (?:me|us) (?:to )?(?:find (?:my|our|the)|recall|remember)\b/;
/** Something that does not exist yet: “a rap about my cat”, “(give) my story a better ending”. */
const NEW =
  /^(?:an?|some|another|few|two|three|four|five|six|ten|[0-9]+) (?!of\b|.*\bof (?:mine|ours)\b)|^give (?:my|our|this) (?:\S+ ){1,8}(?:an?|some|better) |^(?:(?!my |our |the |\S+ of )\S+ ){0,3}(?:captions?|haiku|headlines?|ideas?|jokes?|limerick|lyrics|mnemonic|poem|rap|recipes?|riddle|slogans?|song|story|tips|toast)\b/;
/** A part that says which one is meant: “the song I like”, “who I am”. */
const SAYS_WHICH =
  /(?<!\b(?:because|if|so|so that|in which|when) )\b(?:i|we) (?!can\b|could\b|may\b|might\b|must\b|should\b|need\b)\w|\bof (?:mine|ours)\b/;

/** A cry for help, which does not tell for what. */
export const HELP = /^help(?: me| us)?(?: out)?$/;

/** True for a request to put facts together. */
export const collects = (words: string): boolean => COLLECTS.test(words);

/** True for a request for work: “write my cover letter”, “work out my share”, “a rap about my cat”. */
export function isTask(words: string): boolean {
  const [first = '', second = ''] = words.split(' ', 2);
  if (first === 'work') return second === 'out';
  if (HELP.test(words)) return false;
  if (first === 'think') return second === 'of';
  if (collects(words)) return false;
  if (TASKS.has(first)) return !AFTER_NOUN.has(second);
  return NEW.test(words) && !SAYS_WHICH.test(words);
}

/** “Check my birthday” asks for a fact, and “check my grammar” does not. */
export const CHECKED =
  '(?:my|our|the|this|these) (?:answer|code|english|essay|grammar|ideas?|logic|maths?|outfit|paragraph|pitch|poem|reasoning|sentences?|spelling|story|text|translation|wording|writing)\\b';
const CHECKS = new RegExp(`^(?:check|grade|judge|put|rate|roast) ${CHECKED}`);

/** True for a request whose text after a colon is the object, and not the speaker's own words. */
export const worksOnText = (words: string): boolean => {
  const [first = ''] = words.split(' ', 1);
  return WORKS_ON_TEXT.has(first.replace(/ing$/, '')) || CHECKS.test(words);
};

const ADVICE: readonly RegExp[] = [
  // “What should I …”, “the books I could …”, “Where can I …”, “where to …”
  /\b(?:should|shall|must|may|ought|might|can|could) (?:i|we|my|our|one)\b/,
  /(?<=\w )(?:i|we) (?:should|must|might|may|ought|(?:can|could)(?! (?:not|never)\b))\b(?! like\b)/,
  /^how (?:to|(?:do|can|could|would) (?:i|we|you|one)|(?:i|we) (?:would|\w+ an?)\b|will (?:i|we) know)\b/,
  /(?:^|\bnot (?:know|sure) )(?:how|what|where|when|who|whether|which(?: \w+)?) to \w/,
  /\bwould (?:i|we)\b|^would my\b/,
  // “Do I need a visa”, “What am I supposed to …”, “Where do I start”, “What do I say to a friend”
  /\b(?:do|does|will|would) (?:i|we|my \w+|our \w+) (?:really |actually |even )?(?:need|have to)\b|\b(?:i|we) need (?:for|to)\b/,
  /\b(?:am|are) (?:i|we) (?:allowed|supposed|required) to\b|^am i (?:too|wrong|right) \w+|\bam i doing (?:\w+ )?wrong$|^do i (?:look|seem|sound) /,
  /^(?:where|how|what|who) do i (?:start|begin|do|put|call) (?:about|if|in|on|the|when|with)\b|\bdo i (?:begin|do|do now|start)$|^where do (?:i|we) (?:find|get|buy) (?!my\b|our\b)|^who do i (?:ask|call|contact|tell) (?:about|first|if|when)\b/,
  /^what do (?:i|we) (?:answer|cook|reply|say|serve|wear|write) (?:for|if|to|when|with) (?!my\b|our\b|school\b|work\b)|^how (?:many|much) \w+ (?:are )?in an? |^what (?:\w+ )?do (?:i|we) \w+ (?:to \w+|to|if|when|with) (?:an?|some|somebody|someone)\b/,
  // “Is it safe to …”, “Is there a way to …”, “the best way to …”, “What is a fair price for …”
  /^(?:(?:is|was|would) it|it is) (?:be )?(?:a )?(?:too )?(?:ok|okay|safe|normal|possible|legal|illegal|worth|bad|good|better|worse|fine|wrong|rude|polite|allowed|healthy|unhealthy|necessary|advisable|dangerous|harmful|common|weird|hard|easy|late)\b/,
  /^(?:is|are) (?:my|our|this) .*\b(?:any good|good enough|still good|realistic|worth|an? (?:bad|good) sign|if (?:it|they))\b|^will (?:i|my|we) .*\bif i\b/,
  /^(?:is|are) there (?:an?|any|some) (?:\w+ )?(?:way|ways|app|apps|name|term|tool|tools|trick|tricks|word)\b/,
  /^(?:what|which|who|where|when)? ?(?:is|are|would be)? ?(?:an?|any|some|the)? ?(?:good|best|better|nice|polite|proper|healthy|cheap|easy|easiest|quickest|fastest|cheapest|safest|simplest)\b(?! (?:friends?|man)\b)/,
  /^what (?:is|would be) an? /,
  /^(?:(?:any|some|more|an?|the|few|two|three|four|five|ten|[0-9]+|good|got|do|have|you) )*(?:ideas?|hints?|tips|tricks|advice|suggestions?|recommendations?|recipes?|feedback|examples?)\b|^(?:the )?pros and cons\b|\b(?:vs|versus)\b/,
  /\bdo you (?:advise|think|recommend|suggest|suppose|believe)\b|^would you (?:recommend|suggest|do|advise|choose)\b|^(?:what|which|who|where|when|how)\b.*\bwould you\b/,
  /^(?:(?:what|which) (?:\w+ ){0,3})?(?:could|might|would) (?!i\b|my\b|our\b|we\b|you\b)\w+ /,
  // Reasons, effects, meanings
  /^why (?:is|are|does|do|will|can|should|would)(?: not)? (?!i\b)|^why (?:my|our|i can not)\b/,
  /^why (?:(?:can|should|would)(?: not)? i\b|(?:do|am) i\b.*\b(?:when|after|if|always|so|get|feel|keep|blush|cry|dream|sneeze|sweat|yawn)\b)/,
  /^(?:does|do|will|can|is|are) (?!i\b|we\b|you\b|any)(?:\w+ )+(?:cause|hurt|harm|damage|affect|make|matter|ruin|safe|stain)\b/,
  /^how do \w+s (?!call\b|know\b|see\b)\w+ |^how does .*\b(?:affect|change|fight|harm|help|hurt|keep|make|protect)\b/,
  /^what (?:makes my|would happen|happens|if|else|does .* mean\b|does my \w+ (?:need|want) (?:if|when)|is the (?:point|purpose) of|does it mean|are my (?:options|rights))\b/,
  /^what (?:is|are) (?:the |some |typical |common )*(?:causes?|chances|difference|etiquette|law|odds|risks?|rules?|side effects|signs|steps|symptoms)\b(?! (?:at|for|in|of) (?:my|our)\b)|^what is the (?:\w+ )?(?:expression|meaning|opposite|plural|term|word) (?:for|of) (?!my\b|our\b)/,
  /\bcost (?:me|us) to\b|^who am i (?:talking|speaking|chatting) (?:to|with)$/,
];

/** What looks like advice but asks for a record: a habit, an ability, an agenda, the past. */
const RECORD: readonly RegExp[] = [
  /\b(?:usually|normally|typically|(?:the|my) usual|generally(?! speaking)|prefer|preferred|rather|favou?rite|would (?:i|my \w+|my|we) (?:like|love|want)|(?:agenda|calendar|diary|schedule)$)\b/,
  /\b(?:because of|based on|given|according to) (?:my|our|what)\b/,
  /^how (?:do|would) (?:i|we|you) (?:like|love|feel|look|commute|travel|earn|(?:call|describe|drink|eat|have|pronounce|spell|take) (?:my|me|our|us)|know (?!if|whether|when|that|which|what|how))\b/,
  /^how do (?:i|we) .*\b(?:home|to (?:work|school|college|church))$/,
  /\b(?:can|may|must) (?:i|we|my \w+) (?:not|speak|play)\b|^can (?:(?:i|we) (?:drink|eat|have)|(?:my|our) \w+) \w+$|^where \w+ (?:my|our) .*\bbe\b|^do (?:i|we) need \w+$|\bcan (?:i|we) find (?:my|our)\b|^(?:what )?can (?:i|we) (?!(?:bake|cook|do|help|make|plant|say|serve|take|try|use|wear)$)[a-z]+$/,
  /^(?:what|which|who|where) .*\b(?:can not (?:i|we)|(?:i|we) can not)\b|^(?:with|for|to) whom\b/,
  /\b(?:need|have|supposed) to (?:be\b|(?:\S+ ){0,6}(?:today|tonight|tomorrow|[a-z]+day|weekend|this (?:week|month|year))\b)/,
  /^(?:when|what time|at what time) (?:must i (?!use\b)|do (?:i|we) (?:have|need) to)\b|^(?:when|who) (?:is|are) (?!an? |the (?:best|right|safest) )|^(?:when|what time|where) (?:must|shall|should) i (?:be|collect|meet|pick up|see|take) (?:at|in|my|our)\b|^should i be (?:at|in|taking)\b/,
  /^(?:(?:what|which|who|when|where|why|how)(?: \w+)? )?(?:did|was|were|had|has)\b|\bhave (?:i|we|my|our)\b/,
  /\b(?:i|we) (?:did|was|had|ever|already)\b|\b(?<!(?:can|could|should) )(?:i|we) (?:drive|got|have|own|use|wear)$|^why .*\b(?:did|was|had)\b/,
  /^what (?:is|are) .*(?<!\b(?:because|if|when|while) )\b(?:i|we) (?:have|hate|like|love|own|use)\b|^what is .*\bof mine\b|\bdo you (?:think|suppose) (?:i|we) (?:am|are|have|like|own)\b/,
  /\b(?:said|says|say that) (?:i|we)\b|\bthe (?:ones?|way) (?:i|we) \w/,
];

/** “If I save 200 a month, …” and “Suppose I won …”. */
const SUPPOSITION =
  /^(?:(?:and|but|hey|ok|okay|please|so|well) )*(?:say i|(?:if|suppose|supposing|assume|assuming|imagine|pretend) (?:i|my|we|our|an?|the|there))\b/;
const UNREAL = /\b(?:if|suppose|imagine) (?:i|we) (?:were|had been)\b/;

const meets = (patterns: readonly RegExp[], words: string): boolean =>
  patterns.some((pattern) => pattern.test(words));

/** True for a question for advice, permission, reasons or effects. */
export const isAdvice = (words: string): boolean => meets(ADVICE, words) && !meets(RECORD, words);

/** True for a question about what is only supposed. */
export const isSupposition = (words: string): boolean =>
  UNREAL.test(words) || (SUPPOSITION.test(words) && !meets(RECORD, words));

/** A number that is not a year. */
const NUMBER = /(?<![\p{L}\p{N}])(?!(?:19|20)[0-9]{2}(?![0-9]))[0-9]/gu;
const RESULT =
  /^(?:how (?:much|many|long|far|fast|big)|what (?:do|will|would) (?:i|my)|what does .* (?:cost|come to)|what percentage|is (?:that|it) enough|when (?:do|will) i)\b|%|\b(?:average|bmi|pace|percent|share|speed|total)\b/;

/** True if a text has at least two numbers, from which a question can have a result. */
export const givesNumbers = (text: string): boolean => (text.match(NUMBER)?.length ?? 0) >= 2;

/** True for a question for the result of a calculation: “How much is left?”. */
export const wantsResult = (words: string): boolean => RESULT.test(words);
