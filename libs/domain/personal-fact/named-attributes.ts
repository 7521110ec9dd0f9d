import type { SentenceKind } from './sentence.js';

/** The attributes that SPEC A1 names, with the attributes under which such a fact may stand. */
const NAMED: readonly (readonly [words: string, attributes: readonly string[]])[] = [
  ['age', ['age']],
  [
    'birthday|birth_?dates?|date_of_birth|day_of_birth',
    ['birthday', 'birth_date', 'date_of_birth', 'birthdate'],
  ],
  ['e_?mails?(?:_address)?', ['email', 'e_mail', 'email_address', 'e_mail_address']],
  ['address', ['address', 'home_address']],
  ['(?:tele)?phone(?:_number)?', ['phone', 'phone_number', 'telephone', 'telephone_number']],
  ['job', ['current_job', 'job']],
  ['hobby|hobbies', ['hobby', 'hobbies']],
];
/** “(the job) that I have”, “(which hobby) do I enjoy” */
const OF_I =
  '(?:that_|which_)?(?:(?:do|did|am|was|have|had)_)?i_(?:(?:currently|now|usually|always|most|really)_)*(?:do|did|have|had|own|use|used|live|work|hold|enjoy|like|love|practi[sc]e|pursue|gave|give|go_by|am|was|registered|signed|told|doing)_';
const I_HAVE =
  '_(?:do|did|have|am|was)_i_(?:(?:have|had|got|own|use)_)?(?:(?:a|an|any|some|as|for)_)*';
/** A question for such an attribute with “I”: “Which job do I have?” */
export const NAMED_OF_I = NAMED.map(([words, attributes]) => ({
  pattern: new RegExp(`_(?:${words})_${OF_I}|_(?:${words})_of_mine_|${I_HAVE}(?:${words})_`),
  attributes,
}));
/** Such an attribute after “my”. */
export const NAMED_OF_MY = NAMED.map(([words, attributes]) => ({
  pattern: new RegExp(
    `^(?:(?:current|own|home|private|work|personal|new|full|exact|real)_)*(?:${words})$`,
  ),
  attributes,
}));

/** In a request for work, these are as often its object (“Proofread my e-mail”) as facts. */
const WORKED_ON = /^(?:e_?mails?|job|phone|project|editor|language|code_editor)(?:_|$)/;
const ABOUT =
  /_(?:about|with|of|for|from|on|in|by|including|mentioning|using|containing|to)_(?:[a-z0-9]+_and_)?$/;

/** True if a request for work names the thing to work on, and not a fact. */
export const isWorkedOn = (named: string, before: string, kind: SentenceKind): boolean =>
  kind === 'task' && WORKED_ON.test(named) && !ABOUT.test(before.replace(/my_$/, ''));
