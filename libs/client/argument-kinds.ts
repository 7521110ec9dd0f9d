import { objectOf, TYPES } from './field-words.js';

/** True for an object that is not of a class, as JSON has them. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const LONE = /\p{Surrogate}/u;

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);
const isName = (value: unknown): value is string => isText(value) && /^[^\u0000]+$/.test(value);
const isId = (value: unknown): boolean => isName(value) && !LONE.test(value);
const isNewId = (value: unknown): boolean =>
  isName(value) && isId(value) && value === value.normalize('NFC');
/** A path cannot have an empty part, and clients of HTTP leave out `.` and `..`. */
const isPathId = (value: unknown): boolean => isId(value) && !/^\.{0,2}$/.test(String(value));
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isListOf = (value: unknown, isOne: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && Array.from(value).every(isOne);
const isTexts = (value: unknown): boolean => isListOf(value, isText);
const isObjects = (value: unknown): boolean => isListOf(value, isObject);
const isNumber = (value: unknown): boolean => typeof value === 'number' && !Number.isNaN(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** A header cannot have other characters, and `fetch` would refuse the request as if the network had failed. */
const isTokenText = (value: unknown): boolean => isText(value) && /^[\x21-\x7e]+$/.test(value);
const isIdempotencyKey = (value: unknown): boolean =>
  isText(value) && /^[\x21-\x7e]{1,255}$/.test(value);
const isTraceparent = (value: unknown): boolean =>
  isText(value) && /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}/.test(value);
/** A timer takes no more milliseconds than these; it ends at once with more. */
const isTimerMs = (value: unknown): boolean =>
  typeof value === 'number' && value >= 1 && value <= 2 ** 31 - 1;
const isQueryValue = (value: unknown): boolean =>
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  isText(value) ||
  isTexts(value);

/** An address that ends in /v1 would have it twice in each path. */
const VERSIONED = /\/v1\/*$/;

const isLogPosition = (value: unknown): boolean =>
  typeof value === 'bigint' || (isText(value) && /^(?:\d+|end)$/.test(value));

function isServiceUrl(value: unknown): boolean {
  if (!isText(value) || !URL.canParse(value)) return false;
  const { protocol, username, password, pathname, search, hash } = new URL(value);
  const isPlain = username + password + search + hash === '' && !VERSIONED.test(pathname);
  return /^https?:$/.test(protocol) && isPlain;
}

const isSignal = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['addEventListener'] === 'function' &&
  typeof value['aborted'] === 'boolean';

/** The type of JSON that a kind of argument has: a value of this type that is refused is another one. */
export type Takes = 'text' | 'number';

/** A kind of argument: what it is in words, whether a value is one, and the type that it has. */
export type Kind = readonly [wanted: string, isOne: (value: unknown) => boolean, takes?: Takes];

const PATH_ID = 'other than . and .., without U+0000 and half pairs';

/** Returns the kind of an id that answers give. */
const idFrom = (what: string) => [`${what}: a text ${PATH_ID}`, isPathId, 'text'] as const;

/** The ids that answers give, by the names of the arguments that take them as a part of a path. */
export const PATH_IDS = {
  wmId: idFrom('the wm_id that insert answers'),
  itemId: idFrom('the id of an item of the consolidated memory, as get shows it'),
  requestId: idFrom('the request_id that propose answers'),
  episodicId: idFrom('the episodic_id of an episode, as its write or a query answers it'),
  logCheckpointId: idFrom('the checkpoint_id that making or listing checkpoints answers'),
  logId: idFrom('the log_id of a ReflectiveLog, as its write or the list answers it'),
  consentId: idFrom('the consent_id that giving the consent answers'),
  collisionId: idFrom('the id of a collision, as the list shows it'),
} as const;

export const KINDS = {
  ...PATH_IDS,
  categories: ['a list of categories of events, such as ["job", "sem"]', isTexts],
  client: ['a client, as new MaceClient({ … }) makes it', isObject],
  commands: ['a list of commands, such as [{ op: "tick" }]', isObjects],
  count: ['a whole number from 0 on', isCount, 'number'],
  body: ['a plain object', isPlainObject],
  cursor: ['the next_cursor of the page before, a text', isQueryValue],
  function: ['a function', (value) => typeof value === 'function'],
  work: [
    'a function of the job, such as async (job) => { … }',
    (value) => typeof value === 'function',
  ],
  id: ['a text without U+0000 and half pairs', isId, 'text'],
  ids: ['a list of texts without U+0000 and half pairs', (value) => isListOf(value, isId)],
  idempotencyKey: ['1 to 255 printable ASCII characters without spaces', isIdempotencyKey, 'text'],
  items: ['a list of JSON values, such as [{ role: "user", content: "Hello" }]', Array.isArray],
  json: [
    'JSON: null, a boolean, a number, a text, a list or an object',
    (value) => value !== undefined,
  ],
  keyPrefix: ['the beginning of keys, such as "user/profile/user_ada/"', isText],
  list: [TYPES.list, Array.isArray],
  logAccount: [objectOf('LogAccountDto', 'an object'), isObject],
  memoryId: ['the id of a memory, such as "mem:…"', isText],
  memorySettings: [objectOf('MemorySettingsDto', 'an object'), isObject],
  messages: ['a text, or a list of messages', Array.isArray],
  milliseconds: ['a number of milliseconds from 1 to 2147483647', isTimerMs, 'number'],
  name: ['a text without U+0000', isName, 'text'],
  names: ['a list of texts without U+0000', (value) => isListOf(value, isName)],
  stream: ['the name of a stream, such as "sem-world/fact/tower/height"', isId, 'text'],
  noteStream: ['the stream of a note: "note-" and 64 hex digits', isId, 'text'],
  owner: ['an owner, such as "user:ada"', isText],
  pathId: [`a text ${PATH_ID}`, isPathId, 'text'],
  phase: [objectOf('PhaseDto', 'an object'), isObject],
  policy: [objectOf('PolicyDto', 'an object'), isObject],
  newId: ['a text in Unicode NFC, without U+0000 and half pairs', isNewId, 'text'],
  number: [TYPES.number, isNumber],
  object: [TYPES.object, isObject],
  objects: ['a list of objects', isObjects],
  logPosition: ['a position of the log: a bigint, its text, or end', isLogPosition, 'text'],
  position: [
    'a position of the log: a bigint, such as 6137n',
    (value) => typeof value === 'bigint',
  ],
  positionText: ['the text of a position in the log, such as "6137"', isText],
  flag: ['true or false', (value) => typeof value === 'boolean'],
  moment: [
    'a time of RFC 3339, such as "2026-01-31T12:00:00Z", or the position of an event, a text of digits',
    isText,
  ],
  queryValue: ['a text, a number, a boolean or a list of texts', isQueryValue],
  seconds: ['a whole number of seconds', isCount, 'number'],
  seed: ['the seed of a job, a text', isText],
  semKey: ['the key of a fact, such as "world/city/oslo/population"', isId, 'text'],
  categoryNames: ['categories of events with commas between them, such as "job,sem"', isText],
  typeNames: ['types of events with commas between them, such as "job_started,ticked"', isText],
  serviceUrl: [
    'an http or https URL without user, query, fragment and /v1, such as http://127.0.0.1:3000',
    isServiceUrl,
    'text',
  ],
  signal: ['an AbortSignal', isSignal],
  snapshotId: ['the id of a snapshot: "sem:" and 64 hex digits', isPathId, 'text'],
  text: ['a text', isText],
  texts: ['a list of texts', isTexts],
  textOrNull: ['a text, or null', isTextOrNull],
  time: ['a time of RFC 3339, such as "2026-01-31T12:00:00Z"', isText],
  timeOrNull: ['a time of RFC 3339, such as "2026-01-31T12:00:00Z", or null', isTextOrNull],
  token: [
    'a bearer token (a text of printable ASCII characters without spaces), or a function that returns one, such as what npx mace token --role agent --sub me prints',
    (value) => typeof value === 'function' || isTokenText(value),
    'text',
  ],
  tokenText: ['a text of printable ASCII characters without spaces', isTokenText, 'text'],
  traceparent: [
    'a W3C trace context, such as 00-<32 hex digits>-<16 hex digits>-01',
    isTraceparent,
    'text',
  ],
  trueText: ['the text "true"', isText],
  version: ['a whole number from 0 on', isNumber],
  writesSeen: [
    'own-writes or eventual',
    (value) => value === 'own-writes' || value === 'eventual',
    'text',
  ],
} as const satisfies Record<string, Kind>;

/** A kind of argument; one with a question mark may be undefined. */
export type ArgumentKind = keyof typeof KINDS | `${keyof typeof KINDS}?`;

export const kindNamed = (kind: string): Kind | undefined =>
  (KINDS as Readonly<Record<string, Kind>>)[kind.replace('?', '')];
