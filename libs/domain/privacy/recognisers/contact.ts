import validator from 'validator';
import { FEATURE, type Feature } from '../features.js';
import { whole, type Candidate, type Recogniser } from '../recogniser.js';

const FILE_ENDING =
  /^(?:png|jpe?g|gif|svg|webp|bmp|ico|js|mjs|cjs|ts|tsx|jsx|css|scss|html?|json|ya?ml|xml|txt|pdf|zip|gz|tar|exe|dll|so|map|wasm|mp[34])$/i;

/** True if the host ends in a top-level domain of letters, and not in a file extension or a version number. */
function mailHost(text: string): boolean {
  const labels = text.slice(text.lastIndexOf('@') + 1).split('.');
  const last = labels.at(-1) ?? '';
  const named = /^(?:\p{L}{2,63}|xn--[a-z0-9-]{1,59})$/iu.test(last);
  return named && labels.length > 1 && !FILE_ENDING.test(last);
}

/** True for `//user:password@host`, whose password has a recogniser. */
const isUserInfo = ({ view, at }: Candidate): boolean =>
  /\/\/[^\s/@]{0,64}:$/.test(view.slice(Math.max(0, at - 68), at));

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
  measure: whole(
    (text, candidate) => mailHost(text) && !isRepository(candidate) && !isUserInfo(candidate),
  ),
  score: 0.9,
};

const LOCAL_IP = /^(?:127\.|0\.0\.0\.0$|255\.255\.255\.255$)/;
/** The words and signs before the number of a version or a section, which can have the form of an IP address. */
const VERSION =
  /(?:\bv|\b(?:ver|versi|wersj|build|release|rev|revision|firmware|driver|update|upgrade|patch|section|sec|chapter|clause|figure|table|oid|kapitel|abschnitt)[a-zóãê]{0,5}|§|バージョン|版本|버전)[ :=.#(]{0,3}$|[a-z]\/$|(?:==|>=|<=|~=|[~^])\s?$/i;
const VERSION_AFTER = /^(?:-[a-z]|\+[a-z]| ?\((?:build|release)\b)/i;

const ipv4: Recogniser = {
  type: 'ip_address',
  category: 'low',
  needs: FEATURE.digit | FEATURE.dot,
  patterns: [/(?<![\d.])(?<value>\d{1,3}(?:\.\d{1,3}){3})(?!\.?\d)/g],
  measure: whole(
    (text, { view, at }) =>
      validator.isIP(text, 4) &&
      !LOCAL_IP.test(text) &&
      !text.startsWith('0') &&
      !VERSION.test(view.slice(Math.max(0, at - 16), at)) &&
      !VERSION_AFTER.test(view.slice(at + text.length, at + text.length + 10)),
  ),
  score: 0.6,
};

const ipv6: Recogniser = {
  type: 'ip_address',
  category: 'low',
  needs: FEATURE.digit | FEATURE.assignment,
  patterns: [
    // The patterns begin at a separator and look back, because separators are rarer than letters and digits.
    /(?<value>:(?<=(?<before>(?<![\w:.])[0-9a-f]{0,4}):)[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){1,6}(?:\.\d{1,3}){0,3})(?![\w:])/gi,
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
  ipv4,
  ipv6,
  mac(
    FEATURE.assignment,
    /(?<value>:(?<=(?<before>(?<![\w:-])[0-9a-f]{2}):)[0-9a-f]{2}(?::[0-9a-f]{2}){4})(?!\w|:[0-9a-f])/gi,
  ),
  mac(
    FEATURE.dash,
    /(?<value>-(?<=(?<before>(?<![\w:-])[0-9a-f]{2})-)[0-9a-f]{2}(?:-[0-9a-f]{2}){4})(?!\w|-[0-9a-f])/gi,
  ),
  mac(
    FEATURE.dot | FEATURE.digit,
    /(?<value>\.(?<=(?<before>(?<![\w.])[0-9a-f]{4})\.)[0-9a-f]{4}\.[0-9a-f]{4})(?![\w.])/gi,
  ),
];
