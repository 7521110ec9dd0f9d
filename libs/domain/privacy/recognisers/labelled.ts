import { FEATURE } from '../features.js';
import { whole, type Candidate, type Recogniser } from '../recogniser.js';

const BIRTH_WORDS =
  /\b(?:dob|d o b|d\.o\.b|date of birth|birth ?dates?|birth ?days?|day of birth|born|geburts(?:datum|tag)|geboren|date de naissance|née? le|naissance|fecha de nacimiento|nacid[oa]|nacimiento|data di nascita|nat[oa] il)\b/;

const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre';

const dateOfBirth: Recogniser = {
  type: 'date_of_birth',
  category: 'medium',
  needs: FEATURE.digit,
  patterns: [
    /(?<!\d)(?<value>(?:19|20)\d\d[ ./-]{1,2}\d{1,2}[ ./-]{1,2}\d{1,2})(?!\d)/g,
    /(?<!\d)(?<value>\d{1,2}[ ./-]{1,2}\d{1,2}[ ./-]{1,2}(?:(?:19|20)\d\d|\d\d))(?!\d)/g,
    /(?<!\d)(?<value>(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?!\d)/g,
    new RegExp(
      `(?<!\\d)(?<value>\\d{1,2}(?:st|nd|rd|th|er|\\.)? (?:of |de )?(?:${MONTH})\\.?,? (?:de )?(?:(?:19|20)\\d\\d|\\d\\d))(?!\\d)`,
      'giu',
    ),
    new RegExp(
      `(?<!\\p{L})(?<value>(?:${MONTH})\\.? \\d{1,2}(?:st|nd|rd|th)?,? (?:(?:19|20)\\d\\d|'?\\d\\d))(?!\\d)`,
      'giu',
    ),
  ],
  context: BIRTH_WORDS,
  score: 0.2,
};

const ADDRESS_WORDS =
  /\b(?:address(?: line)?(?: ?\d)?|addr|street|adresse|anschrift|straße|strasse|dirección|direccion|indirizzo|domicile|(?:i|she|he|they|we|who) live|lives?(?: now)? (?:at|in|on)|living (?:at|in|on)|live (?:at|on)|moved to|resid(?:es?|ing|ence)|home is|ship(?:ped|ping)? to|deliver(?:y|ed)? to|mail(?:ed|ing)? to|send it to|wohn(?:e|t|haft)|habite|vivo en|vive en)\b/;

const STREET =
  'street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct|way|place|pl|square|sq|terrace|parkway|pkwy|highway|hwy|close|crescent|row|circle|cir|trail|loop|alley';

const streetAddress: Recogniser = {
  type: 'street_address',
  category: 'medium',
  needs: FEATURE.digit,
  patterns: [
    new RegExp(
      `(?<![\\p{L}\\p{N}])(?<value>\\d{1,6}[a-z]?,? (?:[\\p{L}\\p{N}.'-]{1,30} ){1,5}(?:${STREET})(?![\\p{L}\\p{N}]))`,
      'giu',
    ),
    /(?<![\p{L}\p{N}])(?<value>[\p{L}.-]{0,40}(?:straße|strasse|str\.|weg|platz|allee|gasse|ufer|damm|straat|laan) \d{1,4} ?[a-z]?)(?![\p{L}\p{N}])/giu,
    /(?<![\p{L}\p{N}])(?<value>\d{1,4}(?: ?bis| ?ter)?,? (?:rue|avenue|boulevard|chemin|place|allée|impasse|quai)(?: [\p{L}'’-]{1,30}){1,5})/giu,
    /(?<![\p{L}\p{N}])(?<value>(?:calle|avenida|avda\.?|plaza|paseo|via|viale|piazza|rua)(?: [\p{L}'’.-]{1,30}){1,5},? (?:n[.º°]? ?)?\d{1,4})(?![\p{L}\p{N}])/giu,
    /(?<![\p{L}\p{N}])(?<value>p\.? ?o\.? ?box \d{1,6})(?!\d)/giu,
  ],
  context: ADDRESS_WORDS,
  score: 0.2,
};

/** Names of fields that contain a postal address in any form. */
const ADDRESS_LABEL =
  /^(?:(?:home|postal|mailing|billing|shipping|delivery|street|residential|work|current|full|my) )?(?:address|adresse|anschrift|dirección|direccion|indirizzo|street|addr)(?: (?:line )?\d)?$/;

const addressField: Recogniser = {
  type: 'street_address',
  category: 'medium',
  needs: FEATURE.digit,
  patterns: [
    /^ {0,8}(?<value>(?:\d{1,6}[a-z]?,? \p{L}[^\n]{1,200}|\p{L}[\p{L} .,'’-]{1,60}[ ,]\d[^\n]{0,200}))/giu,
  ],
  context: ADDRESS_LABEL,
  fields_only: true,
  score: 0.1,
};

const passport: Recogniser = {
  type: 'passport',
  category: 'high',
  needs: FEATURE.four_digits,
  patterns: [/(?<![\p{L}\p{N}])(?<value>[A-Z0-9]{1,2} ?[A-Z0-9]{6,8})(?![\p{L}\p{N}])/giu],
  measure: whole((text) => text.replace(/\D/g, '').length >= 5 && !/\p{L}{4}/u.test(text)),
  context:
    /\b(?:passports?|passport ?(?:no|nr|number|num|id)|reisepass(?:nummer)?|passnummer|passeport|pasaporte|passaporto)\b/,
  score: 0.1,
};

const MRZ_WEIGHTS = [7, 3, 1] as const;
const mrzValue = (character: string): number =>
  character === '<' ? 0 : Number.parseInt(character, 36);

/** True if the check digit after a field of a machine-readable zone is right. */
const mrzChecks = (text: string, start: number, end: number): boolean => {
  const field = [...text.slice(start, end)];
  const sum = field.reduce((all, one, at) => all + mrzValue(one) * (MRZ_WEIGHTS[at % 3] ?? 1), 0);
  return sum % 10 === Number(text[end]);
};

const isMrz = ({ text }: Candidate): boolean =>
  mrzChecks(text, 0, 9) && mrzChecks(text, 13, 19) && mrzChecks(text, 21, 27);

const machineReadable: Recogniser = {
  type: 'passport',
  category: 'high',
  needs: FEATURE.nine_digits,
  patterns: [
    /(?<![A-Z0-9<])(?<value>[A-Z0-9<]{9}\d[A-Z<]{3}\d{7}[MFX<]\d{7}[A-Z0-9<]{14}[\d<]\d)(?![A-Z0-9<])/g,
  ],
  measure: (candidate) => (isMrz(candidate) ? candidate.text.length : 0),
  score: 0.9,
};

export const LABELLED_RECOGNISERS: readonly Recogniser[] = [
  dateOfBirth,
  streetAddress,
  addressField,
  passport,
  machineReadable,
];
