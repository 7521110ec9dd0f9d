import { keysOf } from '../keys-of.js';
import { plainOf, withoutMarks } from './plain-text.js';

/** A word of up to 24 letters, and a comma after it. */
const WORDS_BETWEEN = "(?:[\\p{L}\\p{M}’']{1,24},? ){0,3}";
const BEFORE_WORD = '(?<![\\p{L}\\p{M}\\p{Nd}])';
const AFTER_WORD = '(?![\\p{L}\\p{M}\\p{Nd}])';

/**
 * A pattern in the form of `plainOf`. A space stands for white space of any kind, `<` and `>` for the start and the end of
 * a word, `~` for up to three words in between.
 */
const pattern = (text: string): string =>
  withoutMarks(text)
    .replaceAll('~', WORDS_BETWEEN)
    .replaceAll('<', BEFORE_WORD)
    .replaceAll('>', AFTER_WORD)
    .replaceAll(' ', '\\s');

const START_OF_SENTENCE = '(?:^|[\\n.!?:;"\\x3E\\p{Ps}\\p{Pi}]\\s?)';

/** What has to be before a pattern, by its first character. The first ones are at the start of a word. */
const PLACES = {
  /** The start of a word. */
  '<': '',
  /** The start of a line or of a sentence. */
  '^': `(?<=${START_OF_SENTENCE})`,
  /** Where an order begins. */
  '!': `(?<=${START_OF_SENTENCE}|${BEFORE_WORD}(?:please|now|just|always|simply|immediately|you\\s(?:must|should|can|may|will|need\\sto|have\\sto)|يرجى|الرجاء|ارجو)\\s)`,
  /** Anywhere, in scripts without spaces. */
  '=': '',
} as const;
const PLACE_NAMES = keysOf(PLACES);
type Place = keyof typeof PLACES;
type Pattern = `${Place}${string}`;

/**
 * The letters with which words of the patterns begin. They are asked for first, and so are letters before them, as that
 * takes less time than to ask for the start of a word of any script.
 */
const FIRST_LETTERS =
  '(?=[a-z\\p{Script=Cyrillic}\\p{Script=Arabic}\\p{Script=Devanagari}\\p{Script=Hangul}])(?<![a-z])';

const ENGLISH: readonly Pattern[] = [
  // Ignore all previous instructions.
  '<(?:ignore|disregard|forget|override|bypass) ~(?:previous|prior|preceding|earlier|above|foregoing|your|my|system|safety) ~(?:instructions?|prompts?|rules|directions|guidelines|orders|guardrails)>',
  '<(?:ignore|disregard|forget) (?:all|everything) (?:of )?(?:the )?(?:instructions?|above|before|you (?:were|have been) told)>',
  '!(?:approve|accept|confirm) (?:this|these|every|each|all|any)>(?: of)? ~(?:requests?|proposals?|changes?|writes?|facts?|memor(?:y|ies))>',
  '<(?:vote to approve|vote yes|cast an? (?:approving|positive) vote)>',
  '<(?:this|it|these|(?:the|this) (?:request|proposal|change|value|fact)) (?:needs?|requires?) no (?:further |more |human |additional )?(?:reviews?|reviewing|approval|votes?|checks?|checking)>',
  '<no (?:human |further )?review (?:is )?(?:needed|required|necessary)>',
  '<you are (?:now )?(?:an? |the )?(?:ai|artificial intelligence|language model|llm|chatbot|unrestricted|jailbroken)>',
  '<(?:reveal|repeat|print|output|show|leak) ~your (?:system )?(?:prompt|instructions)>',
  "<(?:do not|don’t|don't|never) (?:tell|inform|alert|warn|show|mention|reveal) ~(?:the )?(?:reviewers?|council|operators?|humans?)>",
  '<(?:note|attention|important)(?: to|:|,) ?(?:the |all |any |every )?(?:ai|assistants?|llms?|language models?|reviewers?)>',
  '<(?:new|updated|real|actual) (?:system )?instructions? ?:',
  '<(?:ignore|disregard|forget|override|bypass) ~(?:of )?(?:the )?(?:instructions?|prompts?|rules|directions|guidelines|orders)(?: (?:that )?(?:(?:you )?(?:were|was|have been) )?(?:given|provided|stated|written|listed|received|told))? (?:to you )?(?:before|above|earlier|previously|so far)>',
];

/** The names of those who decide about a request. */
const REVIEWER =
  '(?:(?:human )?reviewers?|(?:security )?council(?: members?)?|members of the council|approvers?|moderators?)';
const TO_REVIEWERS: readonly Pattern[] = [
  // Council members: just click approve.
  `^(?:(?:dear|hello|hi|to) )?(?:the |all )?${REVIEWER} ?[:,] ?(?:(?:you|can|may|should|must|need|only|to|just|simply|safely|please|now|kindly|click|press|vote|on) ){0,6}(?:approve|accept|confirm)>(?! or )`,
  `<(?:${REVIEWER}|you) (?:can|may|should|must) (?:(?:safely|just|now|simply|vote|to) ){0,3}(?:approve|accept|confirm) (?:[\\p{L}’']{1,16} ){0,3}without (?:reading|reviewing|checking|looking|review|verification)>`,
  `!(?:approve|accept|confirm) (?:it|this|that|all|everything) without (?:reading|reviewing|checking|looking|review|verification)>`,
  '<you can safely (?:approve|accept|confirm) (?:it|this|that|these|the request|the proposal|the change)>',
  '<(?:it|this|that) is safe to approve>',
];

const OTHERS: readonly Pattern[] = [
  // German
  '<(?:ignorier(?:e|t|en sie)|missachte[nt]?|vergiss|vergesst|vergessen sie) ~(?:vorherigen|bisherigen|früheren|obigen|vorigen|deine|eure|ihre) ~(?:anweisung(?:en)?|instruktion(?:en)?|vorgaben|regeln|befehle)>',
  `!(?:genehmige|genehmigt|genehmigen sie|bestätige|akzeptiere|bewillige) (?:diese[nrs]?|jede[nrs]?|alle) ~(?:anfragen?|antrag|anträge|vorschlag|vorschläge|änderung(?:en)?)>`,
  '<(?:dies|das|diese anfrage|dieser (?:antrag|vorschlag)) (?:braucht|benötigt|erfordert) keine (?:weitere |menschliche )?(?:prüfung|überprüfung|freigabe)>',
  // French
  '<(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez) (?:pas|aucun) compte de) ~(?:(?:tes|vos) ~(?:instructions?|consignes?|directives?|règles)|(?:instructions?|consignes?|directives?|règles) (?:précédentes?|antérieures?|ci dessus))>',
  `!(?:approuve|approuvez|valide|validez|accepte|acceptez) (?:cette|ces|toutes (?:les|ces)|chaque) ~(?:demandes?|requêtes?|propositions?)>`,
  '<(?:ceci|cela|cette (?:demande|proposition)) ne nécessite aucun(?:e)? (?:vérification|validation|examen|relecture)>',
  // Spanish and Portuguese
  '<ignor(?:a|e|ad|en) (?:todo|tudo) (?:lo|o) que (?:se (?:ha )?dij[eo]|se (?:te )?ha dicho|foi dito|disseram|está acima) ?(?:antes|anteriormente|arriba|acima)?',
  '<(?:ignor(?:a|e|ad|en)|olvid(?:a|e|ad|en)|desconsider[ae]|esqueç?[ae]) ~(?:(?:tus|sus|tuas|suas) ~(?:instrucciones|órdenes|reglas|instruções|ordens|regras)|(?:instrucciones|órdenes|reglas|instruções|ordens|regras) (?:anteriores|previas|prévias|acima))>',
  `!(?:aprueb[ae]|aprobad|acept[ae]|aprov[ae]|aceit[ae]) (?:est[ae]s?|cada|tod[ao]s (?:las|los|as|os)) ~(?:solicitud(?:es)?|petici(?:ón|ones)|propuestas?|solicitaç(?:ão|ões)|pedidos?|propostas?)>`,
  '<(?:esto|esta (?:solicitud|propuesta)) no (?:necesita|requiere) (?:revisión|aprobación)>',
  // Italian
  '<(?:ignora(?:te)?|dimentica(?:te)?) ~(?:(?:tue|vostre) ~(?:istruzioni|regole)|(?:istruzioni|regole) (?:precedenti|sopra))>',
  `!(?:approva(?:te)?|accetta(?:te)?) (?:quest[aeio]|ogni|tutt[ei] (?:le|i|gli|queste)) ~(?:richiest[ae]|propost[ae])>`,
  // Russian
  '<(?:про)?(?:игнорируй|забудь)(?:те)? ~(?:предыдущие|прежние|прошлые|свои|твои|ваши|все|вышеуказанные) ~(?:инструкции|указания|команды|правила)>',
  `!(?:одобри|утверди|подтверди)(?:те)? (?:этот|эту|это|эти|все|каждый|каждую) ~(?:запрос|заявк|предложени)\\p{L}{0,4}>`,
  // Chinese and Japanese
  '=(?:忽略|无视|忘记|忽視|無視|忘記)[^。！？\\n]{0,10}(?:指令|指示|提示词|提示詞|规则|規則)',
  '=(?:请|請)(?:批准|通过|通過|同意)(?:此|这|這|所有|全部|每|本)[^。！？\\n]{0,4}(?:请求|申请|提案|請求|申請)',
  '=(?:指示|命令|ルール|プロンプト)を?(?:すべて|全て)?(?:無視|忘れ)',
  '=(?:この|すべての|全ての)(?:リクエスト|申請|提案|要求)を承認(?:して|せよ|しろ)',
  // Korean
  '<(?:이전|위|앞선|기존|앞)(?:의)? ?~(?:지시|명령|지침|규칙|프롬프트)(?:사항)?(?:들)?(?:을|를)? ?~(?:무시|잊)',
  '<(?:이|모든|해당) (?:요청|제안|신청|변경)(?:들)?(?:을|를) ~승인(?:하세요|하십시오|하시오|해 ?주세요|해 ?주십시오|해라|하라)',
  // Dutch
  '<(?:negeer|vergeet) ~(?:vorige|eerdere|voorgaande|bovenstaande|je|jouw|uw|jullie) ~(?:instructies?|aanwijzingen|regels|opdrachten)>',
  '!keur (?:dit|deze|elke?|ieder|alle) ~(?:verzoek(?:en)?|voorstel(?:len)?|aanvra(?:ag|gen)|wijziging(?:en)?) goed>',
  '<(?:en|gelieve) keur (?:dit|deze|elke?|ieder|alle) ~(?:verzoek(?:en)?|voorstel(?:len)?|aanvra(?:ag|gen)|wijziging(?:en)?) goed>',
  // Polish
  '<(?:z?ignoruj(?:cie)?|zapomnij(?:cie)?(?: o)?|pomiń(?:cie)?) ~(?:poprzedni(?:e|ch)|wcześniejsz(?:e|ych)|powyższ(?:e|ych)|swo(?:je|ich)|twoj(?:e|ich)) ~(?:instrukcj[ei]|polece(?:nia|ń)|zasady?|wytyczn(?:e|ych)|reguły?)>',
  '<(?:zatwierdź|zaakceptuj|zaaprobuj|potwierdź)(?:cie)? (?:ten|tę|to|te|każdy|każdą|wszystkie) ~(?:wniosek|wnioski|prośb[ęy]|propozycj[ęe]|zmian[ęy]|żądani[ea])>',
  // Turkish
  '<(?:önceki|yukarıdaki|eski) ~(?:talimat|yönerge|kural|komut)\\p{L}{0,8} (?:yok ?say|göz ardı et|görmezden gel|unut|dikkate alma)',
  '<(?:bu|tüm|her) (?:isteği|talebi|öneriyi|değişikliği|istekleri|talepleri|önerileri) (?:onayla(?:yın|yınız)?|kabul ed?t?(?:in|iniz)?)>',
  // Arabic
  '<و?(?:تجاهل|انس)(?:وا|ي)? ~(?:التعليمات|الأوامر|القواعد|التوجيهات) (?:السابقة|المذكورة|أعلاه)',
  '<و?(?:تجاهل|انس)(?:وا|ي)? ~(?:تعليماتك|أوامرك|قواعدك|تعليماتكم)>',
  `!(?:وافق(?:وا|ي)?|الموافقة) على (?:هذا|هذه|كل|جميع) (?:ال)?(?:طلب(?:ات)?|مقترح(?:ات)?|اقتراح(?:ات)?)>`,
  // Hindi
  '<(?:पिछले|पिछली|पूर्व|उपरोक्त|अपने) ~(?:निर्देशों|निर्देश|आदेशों|नियमों|अनुदेशों) को (?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल)>',
  '<(?:इस|सभी|हर|इन) (?:अनुरोध|अनुरोधों|प्रस्ताव|प्रस्तावों) को (?:स्वीकृत|मंज़ूर|मंजूर|स्वीकार|अनुमोदित) (?:करें|करो|कर दें|कीजिए)>',
  // Ukrainian
  '<(?:про)?(?:ігноруй|забудь)(?:те)? ~(?:попередні|минулі|свої|твої|ваші|всі|усі|вищезазначені) ~(?:інструкції|вказівки|команди|правила)>',
  '<(?:схвали|затверди|підтверди)(?:ть|те)? (?:цей|цю|це|ці|усі|всі|кожен|кожну) ~(?:запит|заявк|пропозиці)\\p{L}{0,4}>',
];

/** Marks with which conversations of models are written; nobody writes them in prose. */
const MARKS: readonly Pattern[] = [
  '=\\x3C\\|(?:im start|im end|system|user|assistant|endoftext)\\|\\x3E',
  '=\\[/?inst\\]',
  '=\\x3C{2}/?sys\\x3E{2}',
];

/** The role of a model at the start of a line, with an order. A conversation that is quoted has the role alone. */
const ROLE_WITH_ORDER: readonly Pattern[] = [
  `^(?:system|ai|(?:ai )?assistants?|(?:ai )?agents?|llms?|models?|reviewers?) ?[:,] ?(?:please )?(?:ignore|disregard|forget|approve|accept|record|store|save|follow|treat|mark|vote|skip|write|you must)>(?! or )`,
  `^(?:ai )?assistants ?:`,
];
const ROLE: Pattern = `^(?:ai )?(?:assistant|system prompt) ?:`;

/** What addresses somebody, in a comment that a page does not show. */
const IN_COMMENT: Pattern =
  '<(?:you (?:must|should|are|have to|need to)|your (?:instructions|task)|(?:ai )?assistants?|ai agents?|llms?|language models?|reviewers?|approve|disregard)>';

/** Returns one expression for patterns, as one is faster than several. */
function expressionOf(patterns: readonly Pattern[]): RegExp {
  const at = (place: Place): readonly string[] =>
    patterns.filter((text) => text.startsWith(place)).map((text) => pattern(text.slice(1)));
  const inWords = PLACE_NAMES.filter((place) => place !== '=' && at(place).length > 0).map(
    (place) => `${PLACES[place]}(?:${at(place).join('|')})`,
  );
  const anywhere = at('=');
  return new RegExp(
    [`${FIRST_LETTERS}${BEFORE_WORD}(?:${inWords.join('|')})`, ...anywhere].join('|'),
    'u',
  );
}

/** What gives orders, in whichever text it stands; in the words of a proposer; and in a comment. */
export const ORDERS = {
  anywhere: expressionOf([...ENGLISH, ...TO_REVIEWERS, ...OTHERS, ...MARKS, ...ROLE_WITH_ORDER]),
  words: expressionOf([ROLE]),
  comment: expressionOf([IN_COMMENT]),
} as const;

/**
 * V8 compiles an expression to machine code at once for a text of this length. For a shorter one it makes byte code first,
 * which takes half a second for these.
 */
const LONG_ENOUGH = 1000;

const isIn = (expression: RegExp, plain: string): boolean =>
  expression.test(plain.padEnd(LONG_ENOUGH, '\n'));

const isAddressed = (comment: string): boolean => isIn(ORDERS.comment, plainOf(comment));

/**
 * True if quoted texts, in their order, give orders to the agents or the reviewers who read them. An order may begin in
 * one text and end in the next one.
 */
export const quotesOrders = (texts: readonly string[]): boolean =>
  isIn(ORDERS.anywhere, plainOf(texts.join('\n'))) || areCommentsAddressed(texts);

/** Does this for the words of the proposer, who has no conversation to quote. */
export function givesOrders(texts: readonly string[]): boolean {
  const plain = plainOf(texts.join('\n'));
  return isIn(ORDERS.anywhere, plain) || isIn(ORDERS.words, plain) || areCommentsAddressed(texts);
}

const areCommentsAddressed = (texts: readonly string[]): boolean =>
  texts.flatMap(commentsIn).some(isAddressed);

/** Returns the comments of HTML, also one that does not end. */
const commentsIn = (text: string): readonly string[] =>
  text.includes('<!--')
    ? text
        .split('<!--')
        .slice(1)
        .map((after) => after.split('-->', 1)[0] ?? '')
    : [];
