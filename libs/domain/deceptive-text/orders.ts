import { withoutInvisible } from './hidden-characters.js';

/**
 * A pattern in lower case. A space stands for white space of any kind, `<` and `>` for the start and the end of a word,
 * `~` for up to three words in between.
 */
const pattern = (text: string): string =>
  text
    .replaceAll('~', "(?:[\\p{L}\\p{M}’']{1,24},? ){0,3}")
    .replaceAll('<', '(?<![\\p{L}\\p{M}\\p{Nd}])')
    .replaceAll('>', '(?![\\p{L}\\p{M}\\p{Nd}])')
    .replaceAll(' ', '\\s');

/** The start of a line or of a sentence. */
const START = '(?:^|[\\n.!?:;"\\x3E\\p{Ps}\\p{Pi}] ?)';

/** Begins an order. */
const BEGIN = `(?:${START}|<(?:please|now|just|always|simply|immediately|you (?:must|should|can|may|will|need to|have to)) )`;

const ENGLISH = [
  // Ignore all previous instructions.
  '<(?:ignore|disregard|forget|override|bypass) ~(?:previous|prior|preceding|earlier|above|foregoing|your|my|system|safety) ~(?:instructions?|prompts?|rules|directions|guidelines|orders|guardrails)>',
  '<(?:ignore|disregard|forget) (?:all|everything) (?:of )?(?:the )?(?:instructions?|above|before|you (?:were|have been) told)>',
  `${BEGIN}(?:approve|accept|confirm) (?:this|these|every|each|all|any)>(?: of)? ~(?:requests?|proposals?|changes?|writes?|facts?|memor(?:y|ies))>`,
  '<(?:vote to approve|vote yes|cast an? (?:approving|positive) vote)>',
  '<(?:this|it|these|(?:the|this) (?:request|proposal|change|value|fact)) (?:needs?|requires?) no (?:further |more |human |additional )?(?:reviews?|reviewing|approval|votes?|checks?|checking)>',
  '<no (?:human |further )?review (?:is )?(?:needed|required|necessary)>',
  '<you are (?:now )?(?:an? |the )?(?:ai|artificial intelligence|language model|llm|chatbot|unrestricted|jailbroken)>',
  '<(?:reveal|repeat|print|output|show|leak) ~your (?:system )?(?:prompt|instructions)>',
  "<(?:do not|don’t|don't|never) (?:tell|inform|alert|warn|show|mention|reveal) ~(?:the )?(?:reviewers?|council|operators?|humans?)>",
  '<(?:note|attention|important)(?: to|:|,) ?(?:the |all |any |every )?(?:ai|assistants?|llms?|language models?|reviewers?)>',
  '<(?:new|updated|real|actual) (?:system )?instructions? ?:',
];

const OTHERS = [
  // German
  '<(?:ignorier(?:e|t|en sie)|missachte[nt]?|vergiss|vergesst|vergessen sie) ~(?:vorherigen|bisherigen|früheren|obigen|vorigen|deine|eure|ihre) ~(?:anweisung(?:en)?|instruktion(?:en)?|vorgaben|regeln|befehle)>',
  `${BEGIN}(?:genehmige|genehmigt|genehmigen sie|bestätige|akzeptiere|bewillige) (?:diese[nrs]?|jede[nrs]?|alle) ~(?:anfragen?|antrag|anträge|vorschlag|vorschläge|änderung(?:en)?)>`,
  '<(?:dies|das|diese anfrage|dieser (?:antrag|vorschlag)) (?:braucht|benötigt|erfordert) keine (?:weitere |menschliche )?(?:prüfung|überprüfung|freigabe)>',
  // French
  '<(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez) (?:pas|aucun) compte de) ~(?:(?:tes|vos) ~(?:instructions?|consignes?|directives?|règles)|(?:instructions?|consignes?|directives?|règles) (?:précédentes?|antérieures?|ci-dessus))>',
  `${BEGIN}(?:approuve|approuvez|valide|validez|accepte|acceptez) (?:cette|ces|toutes (?:les|ces)|chaque) ~(?:demandes?|requêtes?|propositions?)>`,
  '<(?:ceci|cela|cette (?:demande|proposition)) ne nécessite aucun(?:e)? (?:vérification|validation|examen|relecture)>',
  // Spanish and Portuguese
  '<(?:ignor(?:a|e|ad|en)|olvid(?:a|e|ad|en)|desconsider[ae]|esqueç?[ae]) ~(?:(?:tus|sus|tuas|suas) ~(?:instrucciones|órdenes|reglas|instruções|ordens|regras)|(?:instrucciones|órdenes|reglas|instruções|ordens|regras) (?:anteriores|previas|prévias|acima))>',
  `${BEGIN}(?:aprueb[ae]|aprobad|acept[ae]|aprov[ae]|aceit[ae]) (?:est[ae]s?|cada|tod[ao]s (?:las|los|as|os)) ~(?:solicitud(?:es)?|petici(?:ón|ones)|propuestas?|solicitaç(?:ão|ões)|pedidos?|propostas?)>`,
  '<(?:esto|esta (?:solicitud|propuesta)) no (?:necesita|requiere) (?:revisión|aprobación)>',
  // Italian
  '<(?:ignora(?:te)?|dimentica(?:te)?) ~(?:(?:tue|vostre) ~(?:istruzioni|regole)|(?:istruzioni|regole) (?:precedenti|sopra))>',
  `${BEGIN}(?:approva(?:te)?|accetta(?:te)?) (?:quest[aeio]|ogni|tutt[ei] (?:le|i|gli|queste)) ~(?:richiest[ae]|propost[ae])>`,
  // Russian
  '<(?:про)?(?:игнорируй|забудь)(?:те)? ~(?:предыдущие|прежние|прошлые|свои|твои|ваши|все|вышеуказанные) ~(?:инструкции|указания|команды|правила)>',
  `${BEGIN}(?:одобри|утверди|подтверди)(?:те)? (?:этот|эту|это|эти|все|каждый|каждую) ~(?:запрос|заявк|предложени)\\p{L}{0,4}>`,
  // Chinese and Japanese
  '(?:忽略|无视|忘记|忽視|無視|忘記)[^。！？\\n]{0,10}(?:指令|指示|提示词|提示詞|规则|規則)',
  '(?:请|請)(?:批准|通过|通過|同意)(?:此|这|這|所有|全部|每|本)[^。！？\\n]{0,4}(?:请求|申请|提案|請求|申請)',
  '(?:指示|命令|ルール|プロンプト)を?(?:すべて|全て)?(?:無視|忘れ)',
  '(?:この|すべての|全ての)(?:リクエスト|申請|提案|要求)を承認(?:して|せよ|しろ)',
];

/** Marks with which conversations of models are written; nobody writes them in prose. */
const MARKS = [
  '\\x3C\\|(?:im_start|im_end|system|user|assistant|endoftext)\\|\\x3E',
  '\\[/?inst\\]',
  '\\x3C{2}/?sys\\x3E{2}',
];

/** The role of a model at the start of a line, with an order. A conversation that is quoted has the role alone. */
const ROLE_WITH_ORDER = [
  `${START}(?:system|ai|(?:ai )?assistants?|(?:ai )?agents?|llms?|models?|reviewers?) ?[:,] ?(?:please )?(?:ignore|disregard|forget|approve|accept|record|store|save|follow|treat|mark|vote|skip|write|you must)>`,
  `${START}(?:ai )?assistants ?:`,
];
const ROLE = `${START}(?:ai )?(?:assistant|system prompt) ?:`;

/** What addresses somebody, in a comment that a page does not show. */
const IN_COMMENT =
  '<(?:you (?:must|should|are|have to|need to)|your (?:instructions|task)|(?:ai )?assistants?|ai agents?|llms?|language models?|reviewers?|approve|disregard)>';

const expression = (text: string): RegExp => new RegExp(pattern(text), 'u');

/** What gives orders, in whichever text it stands. */
export const ORDERS: readonly RegExp[] = [
  ...[...ENGLISH, ...OTHERS, ...MARKS, ...ROLE_WITH_ORDER].map(expression),
];
/** What gives orders in the words of a proposer, and in a comment. */
export const ORDERS_BY_PLACE = {
  words: expression(ROLE),
  comment: expression(IN_COMMENT),
} as const;

const isOrder = (text: string): boolean => ORDERS.some((order) => order.test(text));

/** True if a quoted text gives orders to the agents or the reviewers who read it. */
export function quotesOrders(text: string): boolean {
  const plain = plainOf(text);
  return (
    isOrder(plain) || commentsIn(plain).some((comment) => ORDERS_BY_PLACE.comment.test(comment))
  );
}

/** Does this for the words of the proposer, who has no conversation to quote. */
export const givesOrders = (text: string): boolean =>
  quotesOrders(text) || ORDERS_BY_PLACE.words.test(plainOf(text));

/** Returns a text in lower case, without invisible characters and marks of emphasis, each white space one character. */
const plainOf = (text: string): string =>
  withoutInvisible(text.normalize('NFKC'))
    .toLowerCase()
    .replace(/[*`~#]/gu, '')
    .replace(/\s+/gu, (space) => (space.includes('\n') ? '\n' : ' '))
    .trim();

/** Returns the comments of HTML, also one that does not end. */
const commentsIn = (text: string): readonly string[] =>
  text
    .split('<!--')
    .slice(1)
    .map((after) => after.split('-->', 1)[0] ?? '');
