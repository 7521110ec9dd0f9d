import { FEATURE } from '../features.js';
import { whole, withTail, type Candidate, type Recogniser } from '../recogniser.js';

const KEY_BODY = /^[A-Za-z0-9+/=\s\\:,.()-]*/;
const KEY_END = /-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/;

/** Returns the length of the whole key block, up to its end mark if it has one. */
function keyBlock({ text, view, at }: Candidate): number {
  const body = KEY_BODY.exec(view.slice(at + text.length))?.[0] ?? '';
  const end = KEY_END.exec(body);
  return text.length + (end ? end.index + end[0].length : body.trimEnd().length);
}

const privateKey: Recogniser = {
  type: 'private_key',
  category: 'high',
  needs: FEATURE.five_dashes,
  patterns: [/-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g],
  measure: keyBlock,
  score: 1,
};

const TOKEN_RUN = /^[A-Za-z0-9_-]*/;
const JWT_REST =
  /^[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*)?/;

const jwt: Recogniser = {
  type: 'jwt',
  category: 'high',
  needs: FEATURE.base64_run | FEATURE.dot,
  patterns: [/(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{7}/g],
  measure: ({ text, view, at }) => {
    const rest = JWT_REST.exec(view.slice(at + text.length));
    return rest ? text.length + rest[0].length : 0;
  },
  score: 0.95,
};

/**
 * The key formats of well-known services. Each pattern matches only as many characters as it needs to
 * recognise the key.
 */
const apiKey: Recogniser = {
  type: 'api_key',
  category: 'high',
  needs: FEATURE.base64_run | FEATURE.digit,
  patterns: [
    /(?<![A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{30}|github_pat_[A-Za-z0-9_]{22}|glpat-[A-Za-z0-9_-]{20})/g,
    /(?<![A-Za-z0-9_])(?:xox[abeprs]-|xapp-)[A-Za-z0-9-]{10}/g,
    /(?<![A-Za-z0-9_])(?:sk|rk|pk|whsec)_(?:(?:live|test)_)?[A-Za-z0-9]{16}/g,
    /(?<![A-Za-z0-9_-])sk-(?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{20}/g,
    /(?<![A-Za-z0-9_])(?:AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20}|GOCSPX-[A-Za-z0-9_-]{20})/g,
    /(?<![A-Za-z0-9_])SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16}/g,
    /(?<![A-Za-z0-9_])(?:npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{40}|do[opr]_v1_[a-f0-9]{64})/g,
    /(?<![A-Za-z0-9_])(?:(?:SK|AC)[0-9a-f]{32}|dapi[a-f0-9]{32}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|key-[0-9a-f]{32})(?![A-Za-z0-9])/g,
    /(?<![A-Za-z0-9_])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g,
  ],
  measure: withTail(TOKEN_RUN),
  score: 0.9,
};

/** Keys that may have no digits. */
const letterKey: Recogniser = {
  type: 'api_key',
  category: 'high',
  needs: FEATURE.base64_run,
  patterns: [
    /(?<![A-Za-z0-9_])(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
    /(?<![A-Za-z0-9_])hf_[A-Za-z0-9]{30}/g,
  ],
  measure: withTail(TOKEN_RUN),
  score: 0.9,
};

const PLACEHOLDER =
  /^(?:[*x•.#_?-]+|<.*|\$[{(].*|\$[A-Z_]+|\{\{.*|%[a-z]?|%\w+%|\[.*|process\.env.*|os\.environ.*|null|none|nil|undefined|true|false|required|optional|string|text|empty|unset|hidden|masked|redacted|changeme|todo|example|secret|password|token|your[-_ ]?.*)$/i;

/** True if the text can be a real credential, and is not just a word about one. */
function isSecret(text: string, { view, at }: Candidate): boolean {
  if (PLACEHOLDER.test(text)) return false;
  if (/[\d!@#$%^&*~+]/.test(text) || /[a-z][A-Z]|[A-Z][a-z]*[A-Z]/.test(text)) return true;
  const assigned = /=["']?$/.test(view.slice(Math.max(0, at - 2), at));
  return (
    assigned || /^["']?\s*(?:[\n,;})\]]|$)/.test(view.slice(at + text.length, at + text.length + 8))
  );
}

/** Matches the rest of a value that is longer than a pattern allows. */
const VALUE_RUN = /^[^\s"',;&@]*/;

const PASSWORD_NAME =
  'pass(?:word|wd|phrase|wort|code|ord)|pwd|passwd|kennwort|contraseña|contrasena|clave|mot de passe|mdp|senha|palavra-passe|wachtwoord|lösenord|salasana|hasło|haslo|parola|şifre|sifre|пароль|パスワード|密码|密碼|비밀번호|पासवर्ड|كلمة المرور|كلمة السر';

const password: Recogniser = {
  type: 'password',
  category: 'high',
  needs: FEATURE.assignment,
  patterns: [
    new RegExp(
      `(?:${PASSWORD_NAME})["']?[ \\t]{0,4}(?::|=>?|\\t|->)[ \\t]{0,4}["']?(?<value>[^\\s"',;&]{3,64})`,
      'gi',
    ),
  ],
  measure: withTail(VALUE_RUN, (candidate) => isSecret(candidate.text, candidate)),
  score: 0.9,
};

/** The password in the userinfo of a URL. */
const urlPassword: Recogniser = {
  type: 'password',
  category: 'high',
  needs: FEATURE.at | FEATURE.assignment,
  patterns: [/:\/\/[^\s:@/]{0,64}:(?<value>[^\s@/]{1,128})@/g],
  measure: whole((text) => !PLACEHOLDER.test(text)),
  score: 0.9,
};

const passwordInSentence: Recogniser = {
  type: 'password',
  category: 'high',
  needs: FEATURE.digit,
  patterns: [
    /\b(?:password|passphrase|passwort|passcode|pwd|pw|contraseña|senha|wachtwoord|mot de passe|hasło|parola|lösenord|passord|pin(?: code)?) (?:is|ist|was|es|é|è|est|to|er|är|jest)(?: now| changed to| still)? ["'`]?(?<value>[^\s"'`,;]{4,64})/gi,
    /(?:パスワード|密码|密碼|비밀번호)(?:は|是|为|는|은) ?["'「]?(?<value>[!-~]{4,64})/g,
  ],
  measure: withTail(
    VALUE_RUN,
    (candidate) => /\d/.test(candidate.text) && isSecret(candidate.text, candidate),
  ),
  score: 0.8,
};

const token: Recogniser = {
  type: 'token',
  category: 'high',
  needs: FEATURE.assignment,
  patterns: [
    /(?:api[ _-]?key|apikey|client[ _-]?secret|secret[ _-]?key|access[ _-]?key(?:[ _-]?id)?|account[ _-]?key|auth[ _-]?key|private[ _-]?key|encryption[ _-]?key|signing[ _-]?key|(?:access|refresh|auth|session|bearer|id|bot)[ _-]?token|token|secret)["']?[ \t]{0,4}(?::|=>?)[ \t]{0,4}["']?(?:bearer )?(?<value>[^\s"',;&]{8,64})/gi,
  ],
  measure: withTail(
    VALUE_RUN,
    (candidate) => /\d|[a-z][A-Z]/.test(candidate.text) && isSecret(candidate.text, candidate),
  ),
  score: 0.7,
};

/** The value of an option of a command, such as `--token`. */
const optionValue: Recogniser = {
  type: 'token',
  category: 'high',
  needs: FEATURE.dash | FEATURE.digit,
  patterns: [
    /(?<![\p{L}\p{N}-])--?(?:[a-z]{1,16}-){0,2}(?:token|secret|password|passwd|api-?key|access-?key|secret-?key)[ =]["']?(?<value>[^\s"',;&]{8,64})/giu,
  ],
  measure: withTail(
    VALUE_RUN,
    (candidate) => /\d/.test(candidate.text) && isSecret(candidate.text, candidate),
  ),
  score: 0.7,
};

const bearer: Recogniser = {
  type: 'token',
  category: 'high',
  needs: FEATURE.base64_run,
  patterns: [/\b(?:bearer|basic) {1,2}(?<value>[A-Za-z0-9._~+/-]{16,64})/gi],
  measure: withTail(/^[A-Za-z0-9._~+/=-]*/, ({ text }) => /\d|[a-z][A-Z]/.test(text)),
  score: 0.7,
};

const SECRET_LABEL =
  /^(?:.{0,40} )?(?:password|passwd|pwd|passphrase|passwort|kennwort|contraseña|contrasena|passcode|senha|mot de passe|wachtwoord|lösenord|passord|salasana|hasło|parola|şifre|пароль|パスワード|密码|비밀번호)$/;
const TOKEN_LABEL =
  /^(?:.{0,40} )?(?:api ?key|secret(?: key)?|client secret|access key|auth key|private key|signing key|encryption key|(?:access|refresh|auth|session|bearer|bot) token|token|credentials?)$/;

/**
 * Matches the whole value. If the name of a field announces a passphrase or the like, its whole value is
 * secret, even if it contains spaces.
 */
const ANYTHING = /^[^]*/;

const passwordField: Recogniser = {
  type: 'password',
  category: 'high',
  needs: FEATURE.none,
  patterns: [/^\s{0,8}(?<value>\S{1,64})/g],
  measure: withTail(ANYTHING, ({ text }) => !PLACEHOLDER.test(text)),
  field: SECRET_LABEL,
  score: 0.3,
};

const tokenField: Recogniser = {
  type: 'token',
  category: 'high',
  needs: FEATURE.none,
  patterns: [/^\s{0,8}(?<value>\S{8,64})/g],
  measure: withTail(ANYTHING, ({ text }) => /\d|[a-z][A-Z]/.test(text) && !PLACEHOLDER.test(text)),
  field: TOKEN_LABEL,
  score: 0.2,
};

export const SECRET_RECOGNISERS: readonly Recogniser[] = [
  privateKey,
  jwt,
  apiKey,
  letterKey,
  password,
  urlPassword,
  passwordInSentence,
  token,
  optionValue,
  bearer,
  passwordField,
  tokenField,
];
