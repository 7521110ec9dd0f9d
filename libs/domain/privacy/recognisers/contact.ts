import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js';
import validator from 'validator';
import { FEATURE, type Feature } from '../features.js';
import { digitsOf, whole, type Candidate, type Recogniser } from '../recogniser.js';

const FILE_ENDING =
  /^(?:png|jpe?g|gif|svg|webp|bmp|ico|js|mjs|cjs|ts|tsx|jsx|css|scss|html?|json|ya?ml|xml|txt|pdf|zip|gz|tar|exe|dll|so|map|wasm|mp[34])$/i;

/**
 * True if the host ends in a top-level domain of letters, and not in a file extension or a version
 * number.
 */
function mailHost(text: string): boolean {
  const labels = text.slice(text.lastIndexOf('@') + 1).split('.');
  const last = labels.at(-1) ?? '';
  const named = /^(?:\p{L}{2,63}|xn--[a-z0-9-]{1,59})$/iu.test(last);
  return named && labels.length > 1 && !FILE_ENDING.test(last);
}

/** True for `git@host:path`, which names a repository. */
const isRepository = ({ text, view, at }: Candidate): boolean =>
  text.startsWith('git@') && view[at + text.length] === ':';

const email: Recogniser = {
  type: 'email',
  category: 'medium',
  needs: FEATURE.at,
  patterns: [
    // The pattern matches backwards from the @, so that it tries each address once.
    /(?<value>@(?<=(?<before>[\p{L}\p{N}._%+'-]{1,64}|"[^"\n@]{1,62}")@)[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8})/gu,
  ],
  measure: (candidate) =>
    mailHost(candidate.text) && !isRepository(candidate) ? candidate.text.length : 0,
  score: 0.9,
};

/**
 * The numbering plans whose national forms the gate knows, besides North America (SPEC P1). Their national
 * numbers begin with a 0.
 */
const TRUNK_REGIONS: readonly CountryCode[] = ['GB', 'DE', 'FR', 'IN'];

const PHONE_WORDS =
  /\b(?:tele)?(?:phones?|fon|fono|phone ?(?:no|nr|number)|tel|mobile|mobil|handy|cell|cellphone|call|calling|fax|whatsapp|signal|sms|text(?: me)?|reach me|ring|dial|rufnummer|móvil|portable)\b/;

const DATE = /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|^\d{4}[./-]\d{1,2}[./-]\d{1,2}/;

const isValid = (text: string, region: CountryCode): boolean =>
  parsePhoneNumberFromString(text, { defaultCountry: region, extract: false })?.isValid() === true;

/** National numbers of North America and India have no leading 0; their form is specific enough. */
const WITHOUT_TRUNK = /^(?:1?[2-9]\d{2}[2-9]\d{6}|[6-9]\d{9})$/;
const WITH_TRUNK = /^0[1-9]\d{6,10}$/;

/** True for a number without `+` that is valid within a known country, mostly with a leading 0. */
const isNational = (text: string): boolean => {
  const digits = digitsOf(text);
  if (!WITH_TRUNK.test(digits)) return WITHOUT_TRUNK.test(digits);
  return TRUNK_REGIONS.some((region) => isValid(digits, region));
};

/** True for a number with its country code and a possible length. */
const isInternational = (text: string): boolean => {
  const dialled = text.replace('(0)', '').replace(/^00 ?/, '+');
  return parsePhoneNumberFromString(dialled, { extract: false })?.isPossible() === true;
};

const isDigit = (character: string | undefined): boolean => /^\d$/.test(character ?? '');

function withoutLastGroup(text: string): string {
  let end = text.length;
  while (end > 0 && isDigit(text[end - 1])) end -= 1;
  while (end > 0 && !isDigit(text[end - 1])) end -= 1;
  return text.slice(0, end);
}

/**
 * Returns the longest prefix of whole digit groups that is a phone number. The remaining groups may be
 * another number.
 */
const longestPrefix =
  (accepts: (text: string) => boolean) =>
  (candidate: Candidate): number => {
    let { text } = candidate;
    while (digitsOf(text).length >= 7) {
      if (accepts(text)) return text.length;
      text = withoutLastGroup(text);
    }
    return 0;
  };

/**
 * True if further groups of digits stand next to the candidate, which is then part of a list of numbers.
 */
const isInList = ({ text, view, at }: Candidate): boolean => {
  const end = at + text.length;
  const before = view.slice(Math.max(0, at - 2), at);
  return /\d[ .-]$/.test(before) || /^[ .-]\d/.test(view.slice(end, end + 2));
};

const phone = { type: 'phone', category: 'medium', needs: FEATURE.four_digits } as const;

/** Phone numbers that begin with `+` or 00. */
const internationalPhone: Recogniser = {
  ...phone,
  patterns: [
    /(?<![\p{L}\p{N}_])(?<value>\(?\+ ?\(?\d(?:[ ./()-]{0,3}\d){6,16})(?![\p{L}\p{N}_])/gu,
    /(?<![\p{L}\p{N}_.,#$€£-])(?<value>00 ?[1-9]\d{0,2}[ ./()-]\d(?:[ ./()-]{0,3}\d){6,14})(?![\p{L}\p{N}_])/gu,
  ],
  measure: longestPrefix(isInternational),
  score: 0.9,
};

/**
 * North American phone numbers, detected by their form (area, exchange and line), even if they are made
 * up.
 */
const northAmericanPhone: Recogniser = {
  ...phone,
  patterns: [
    /(?<![\p{L}\p{N}_.,#$€£-])(?<value>(?:1[ .-])?(?:\([2-9]\d{2}\)[ .-]{0,2}\d{3}[ .-]?|[2-9]\d{2}[.-]\d{3}[.-])\d{4})(?![\p{L}\p{N}_]|[.-]\d)/gu,
    /(?<![\p{L}\p{N}_.,#$€£-])(?<value>(?:1 )?[2-9]\d{2} [2-9]\d{2} \d{4})(?![\p{L}\p{N}_]| \d{4})/gu,
  ],
  score: 0.8,
};

/** Phone numbers in the groupings that the other configured regions use (SPEC P1). */
const nationalPhone: Recogniser = {
  ...phone,
  patterns: [
    /(?<![\p{L}\p{N}_.,#$€£-])(?<value>\(?0\d{2,5}\)?(?: ?[/-] ?| )\d{3,8}(?:[ -]\d{2,6}){0,3})(?![\p{L}\p{N}_])/gu,
    /(?<![\p{L}\p{N}_.,#$€£-])(?<value>0\d(?:[ .-]\d{2}){4})(?![\p{L}\p{N}_])/gu,
    /(?<![\p{L}\p{N}_.,#$€£-])(?<value>\(0\d{1,5}\) ?\d{3,9})(?![\p{L}\p{N}_])/gu,
    /(?<![\p{L}\p{N}_.,#$€£-])(?<value>[6-9]\d{4}[ -]\d{5})(?![\p{L}\p{N}_])/gu,
  ],
  measure: whole((text, candidate) => !DATE.test(text) && !isInList(candidate) && isNational(text)),
  score: 0.6,
};

/** Phone numbers in any other form, if a word for a phone stands near. */
const namedPhone: Recogniser = {
  ...phone,
  patterns: [/(?<![\p{L}\p{N}_.,#$€£])(?<value>\(?\d(?:[ ./()-]{0,3}\d){6,14})(?![\p{L}\p{N}_])/gu],
  measure: longestPrefix(
    (text) => !DATE.test(text) && (/^[2-9]\d{2}[ .-]\d{4}$/.test(text) || isNational(text)),
  ),
  context: PHONE_WORDS,
  score: 0.1,
};

const LOCAL_IP = /^(?:127\.|0\.0\.0\.0$|255\.255\.255\.255$)/;
const VERSION = /(?:\bv|\bversion|\bbuild|\brelease|\bsection|§) ?$/i;

const ipv4: Recogniser = {
  type: 'ip_address',
  category: 'low',
  needs: FEATURE.digit | FEATURE.dot,
  patterns: [/(?<![\p{N}.])(?<value>\d{1,3}(?:\.\d{1,3}){3})(?!\.?\d)/gu],
  measure: whole(
    (text, { view, at }) =>
      validator.isIP(text, 4) &&
      !LOCAL_IP.test(text) &&
      !VERSION.test(view.slice(Math.max(0, at - 12), at)),
  ),
  score: 0.6,
};

const ipv6: Recogniser = {
  type: 'ip_address',
  category: 'low',
  needs: FEATURE.digit | FEATURE.assignment,
  patterns: [
    /(?<![\p{L}\p{N}:.])(?<value>[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:\.\d{1,3}){0,3})(?![\p{L}\p{N}:])/giu,
  ],
  measure: whole(
    (text) =>
      validator.isIP(text, 6) &&
      /\d/.test(text) &&
      !/^[0:]*1?$/.test(text) &&
      /:.*:.*:|^f[cde]/i.test(text),
  ),
  score: 0.6,
};

const mac = (needs: Feature, pattern: RegExp): Recogniser => ({
  type: 'mac_address',
  category: 'low',
  needs,
  patterns: [pattern],
  measure: whole((text) => !/^(?:0|f|[:.-])+$/i.test(text)),
  score: 0.7,
});

export const CONTACT_RECOGNISERS: readonly Recogniser[] = [
  email,
  internationalPhone,
  northAmericanPhone,
  nationalPhone,
  namedPhone,
  ipv4,
  ipv6,
  mac(
    FEATURE.assignment,
    /(?<![\p{L}\p{N}:-])(?<value>[0-9a-f]{2}(?::[0-9a-f]{2}){5})(?![\p{L}\p{N}]|:[0-9a-f])/giu,
  ),
  mac(
    FEATURE.dash,
    /(?<![\p{L}\p{N}:-])(?<value>[0-9a-f]{2}(?:-[0-9a-f]{2}){5})(?![\p{L}\p{N}]|-[0-9a-f])/giu,
  ),
  mac(
    FEATURE.dot | FEATURE.digit,
    /(?<![\p{L}\p{N}.])(?<value>[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})(?![\p{L}\p{N}.])/giu,
  ),
];
