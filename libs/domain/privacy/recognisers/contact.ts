import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js';
import validator from 'validator';
import { FEATURE, type Feature } from '../features.js';
import { digitsOf, whole, type Candidate, type Recogniser } from '../recogniser.js';

const FILE_ENDING =
  /^(?:png|jpe?g|gif|svg|webp|bmp|ico|js|mjs|cjs|ts|tsx|jsx|css|scss|html?|json|ya?ml|xml|txt|pdf|zip|gz|tar|exe|dll|so|map|wasm|mp[34])$/i;

/** A host with a name of letters at its end, which is neither a file's ending nor a version. */
function mailHost(text: string): boolean {
  const labels = text.slice(text.lastIndexOf('@') + 1).split('.');
  const last = labels.at(-1) ?? '';
  const named = /^(?:\p{L}{2,63}|xn--[a-z0-9-]{1,59})$/iu.test(last);
  return named && labels.length > 1 && !FILE_ENDING.test(last);
}

/** `git@host:path` names a repository. */
const isRepository = ({ text, view, at }: Candidate): boolean =>
  text.startsWith('git@') && view[at + text.length] === ':';

const email: Recogniser = {
  type: 'email',
  category: 'medium',
  needs: FEATURE.at,
  patterns: [
    // Looked for from the @ backwards, so that each is looked at once.
    /(?<=(?<before>[\p{L}\p{N}._%+'-]{1,64}|"[^"\n@]{1,62}"))(?<value>@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8})/gu,
  ],
  measure: (candidate) =>
    mailHost(candidate.text) && !isRepository(candidate) ? candidate.text.length : 0,
  score: 0.9,
};

/** The numbering plans whose national forms are known to the gate (SPEC P1). */
export const PHONE_REGIONS: readonly CountryCode[] = ['US', 'GB', 'DE', 'FR', 'IN'];

const PHONE_WORDS =
  /\b(?:tele)?(?:phones?|fon|fono|phone ?(?:no|nr|number)|tel|mobile|mobil|handy|cell|cellphone|call|calling|fax|whatsapp|signal|sms|text(?: me)?|reach me|ring|dial|rufnummer|móvil|portable)\b/;

/** The groupings in which the configured regions write a number without a sign in front. */
const NATIONAL_GROUPINGS: readonly RegExp[] = [
  /^(?:1 )?[2-9]\d{2} [2-9]\d{2} \d{4}$/,
  /^\(?0\d{2,5}\)?(?: ?[/-] ?| )\d{3,8}(?:[ -]\d{2,6}){0,3}$/,
  /^0\d(?:[ .-]\d{2}){4}$/,
  /^\(0\d{1,5}\) ?\d{3,9}$/,
  /^[6-9]\d{4}[ -]\d{5}$/,
  /^020 \d{4} \d{4}$/,
];
/** Area, exchange and line of North America are seen by their shape: made-up numbers count as well. */
const NORTH_AMERICAN = /^(?:1[ .-]?)?(?:\([2-9]\d{2}\)[ .-]{0,2}|[2-9]\d{2}[.-])\d{3}[ .-]?\d{4}$/;
const GROUPED_LOCAL = /^[2-9]\d{2}[ .-]\d{4}$/;
const DATE = /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|^\d{4}[./-]\d{1,2}[./-]\d{1,2}/;

const isValid = (text: string, region: CountryCode): boolean =>
  parsePhoneNumberFromString(text, { defaultCountry: region, extract: false })?.isValid() === true;

/** With its country in front, a number needs no more than a length that can be. */
const isInternational = (text: string): boolean =>
  parsePhoneNumberFromString(text, { extract: false })?.isPossible() === true;

/** A number without `+` is dialled inside its country, there mostly with a 0 in front. */
const isNational = (text: string): boolean =>
  PHONE_REGIONS.some(
    (region) => (/^\(?0/.test(text) || region === 'US' || region === 'IN') && isValid(text, region),
  );

/** Whether more groups of digits stand beside it: then it is a piece of a list of numbers. */
const isInList = (text: string, { view, at }: Candidate): boolean => {
  const end = at + text.length;
  return (
    /\d[ .-]$/.test(view.slice(Math.max(0, at - 2), at)) ||
    /^[ .-]\d/.test(view.slice(end, end + 2))
  );
};

function isPhone(text: string, candidate: Candidate): boolean {
  const { in_context } = candidate;
  const digits = digitsOf(text).length;
  if (digits < 7 || digits > 15) return false;
  if (/^\(?\+/.test(text)) return isInternational(text.replace('(0)', ''));
  if (DATE.test(text)) return false;
  if (NORTH_AMERICAN.test(text)) return true;
  if (/^00 ?[1-9]/.test(text) && isInternational(`+${text.slice(2)}`)) {
    return in_context || /\D/.test(text);
  }
  if (in_context && (GROUPED_LOCAL.test(text) || isNational(text))) return true;
  const grouped = NATIONAL_GROUPINGS.some((grouping) => grouping.test(text));
  return grouped && !isInList(text, candidate) && isNational(text);
}

/** The longest beginning, cut between its groups, that is a number: what follows may be another one. */
function phoneLength(candidate: Candidate): number {
  for (let text = candidate.text; digitsOf(text).length >= 7;) {
    if (isPhone(text, candidate)) return text.length;
    const cut = text.search(/[ ./()-]+\d+$/);
    if (cut < 0) return 0;
    text = text.slice(0, cut);
  }
  return 0;
}

const phone: Recogniser = {
  type: 'phone',
  category: 'medium',
  needs: FEATURE.four_digits,
  patterns: [
    /(?<![\p{L}\p{N}_.,#$€£])(?<value>(?:\(?\+ ?|\()?\d(?:[ ./()-]{0,3}\d){6,16})(?![\p{L}\p{N}_])/gu,
  ],
  measure: phoneLength,
  context: PHONE_WORDS,
  score: 0.5,
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
  phone,
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
