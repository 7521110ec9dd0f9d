import type { CouncilSeat } from '#agents/council/council.js';
import type { Provider } from '#agents/language-model/provider.js';
import { DEFAULT_CONSTANTS } from '#domain/job/constants.js';
import { BadConfig } from './bad-config.js';

/** The settings in MACE_LLM_* (SPEC A1, A3, §13). They contain keys, so they must never be logged. */
export interface LanguageModelsConfig {
  /** The providers in the order in which they are asked; empty if no provider is configured. */
  readonly providers: readonly Provider[];
  /** The council members that ask a model. */
  readonly council: readonly CouncilSeat[];
}

type Environment = Readonly<Record<string, string | undefined>>;
type Fields = Readonly<Record<string, unknown>>;

const PROVIDERS = 'MACE_LLM_PROVIDERS';
const COUNCIL = 'MACE_LLM_COUNCIL';
const MAX_ENTRIES = 16;
const MAX_TIMEOUT_MS = 120_000;
/** The time in ms that the providers share: the default timeout of an agent, minus a tenth for the other steps. */
const SHARED_MS = DEFAULT_CONSTANTS.agent_timeout_ms * 0.9;
const NAME = /^[a-z0-9][a-z0-9_.-]{0,63}$/;
const BUILT_IN_IDS = ['safety_check', 'coherence_check', 'factuality_check', 'verification_agent'];

/**
 * Reads a JSON list of objects that have only these fields. Its error messages show no value, because a
 * value may be a key.
 */
function entriesOf(env: Environment, name: string, fields: readonly string[]): readonly Fields[] {
  const text = env[name] ?? '';
  if (text === '') return [];
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    throw new BadConfig(`${name} must be a JSON list; it is no JSON.`);
  }
  if (!Array.isArray(entries) || entries.length > MAX_ENTRIES)
    throw new BadConfig(`${name} must be a JSON list of at most ${MAX_ENTRIES} objects.`);
  return entries.map((entry: unknown, at) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      throw new BadConfig(`${name}[${at}] must be an object.`);
    if (Object.keys(entry).some((key) => !fields.includes(key)))
      throw new BadConfig(`${name}[${at}] may hold ${fields.join(', ')}; it holds another field.`);
    return entry as Fields;
  });
}

function text(value: unknown, what: string, pattern: RegExp, rule: string): string {
  if (typeof value !== 'string' || !pattern.test(value))
    throw new BadConfig(`${what} must be ${rule}.`);
  return value;
}

const named = (value: unknown, what: string): string =>
  text(value, what, NAME, 'a name of at most 64 characters out of a–z, 0–9, _, . and -');

function requireDifferent(names: readonly string[], name: string, field: string): void {
  const twice = names.find((each, at) => names.indexOf(each) !== at);
  if (twice !== undefined) throw new BadConfig(`${name} holds two entries with ${field} ${twice}.`);
}

function baseUrl(value: unknown, what: string): string {
  const problem = `${what} must be a URL that begins with http:// or https://, without user, query or fragment.`;
  if (typeof value !== 'string' || !/^https?:\/\//.test(value)) throw new BadConfig(problem);
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    throw new BadConfig(problem);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new BadConfig(problem);
  return url.href.replace(/(?<!\/)\/+$/, '');
}

function keyOf(entry: Fields, what: string, env: Environment): Provider['key'] {
  const { api_key, api_key_env } = entry;
  if (api_key !== undefined && api_key_env !== undefined)
    throw new BadConfig(`${what} must have api_key or api_key_env, not both.`);
  const rule = 'printable ASCII characters without spaces';
  const printable = /^[\x21-\x7e]{1,4096}$/;
  if (api_key !== undefined) return { secret: text(api_key, `${what}.api_key`, printable, rule) };
  if (api_key_env === undefined) return 'none';
  const variable = text(
    api_key_env,
    `${what}.api_key_env`,
    /^[A-Za-z_][A-Za-z0-9_]{0,127}$/,
    'the name of an environment variable',
  );
  const key = env[variable] ?? '';
  return key === '' ? 'missing' : { secret: text(key, variable, printable, rule) };
}

function timeoutOf(value: unknown, what: string, defaultMs: number): number {
  if (value === undefined) return defaultMs;
  const isWhole = typeof value === 'number' && Number.isInteger(value);
  if (!isWhole || value < 1 || value > MAX_TIMEOUT_MS)
    throw new BadConfig(`${what} must be a whole number from 1 to ${MAX_TIMEOUT_MS}.`);
  return value;
}

function readProviders(env: Environment): readonly Provider[] {
  const entries = entriesOf(env, PROVIDERS, [
    'name',
    'base_url',
    'model',
    'api_key',
    'api_key_env',
    'timeout_ms',
  ]);
  // With the default timeouts, even the last provider is asked before the agent's time is up.
  const defaultMs = Math.floor(SHARED_MS / Math.max(1, entries.length));
  const providers = entries.map((entry, at): Provider => {
    const what = `${PROVIDERS}[${at}]`;
    return {
      name: named(entry['name'], `${what}.name`),
      base_url: baseUrl(entry['base_url'], `${what}.base_url`),
      model: text(entry['model'], `${what}.model`, /^[^\s]{1,256}$/, 'the name of a model'),
      key: keyOf(entry, what, env),
      timeout_ms: timeoutOf(entry['timeout_ms'], `${what}.timeout_ms`, defaultMs),
    };
  });
  requireDifferent(
    providers.map(({ name }) => name),
    PROVIDERS,
    'name',
  );
  return providers;
}

function readCouncil(env: Environment, providers: readonly Provider[]): readonly CouncilSeat[] {
  const seats = entriesOf(env, COUNCIL, ['id', 'provider']).map((entry, at): CouncilSeat => {
    const what = `${COUNCIL}[${at}]`;
    const id = named(entry['id'], `${what}.id`);
    if (BUILT_IN_IDS.includes(id))
      throw new BadConfig(`${what}.id ${id} is the id of a built-in council member.`);
    const provider = providers.find(({ name }) => name === entry['provider']);
    if (!provider) throw new BadConfig(`${what}.provider must be the name of one in ${PROVIDERS}.`);
    return { id, provider };
  });
  requireDifferent(
    seats.map(({ id }) => id),
    COUNCIL,
    'id',
  );
  return seats;
}

/** Reads and checks MACE_LLM_PROVIDERS and MACE_LLM_COUNCIL. Fails with BadConfig, whose message shows no key. */
export function readLanguageModels(env: Environment): LanguageModelsConfig {
  const providers = readProviders(env);
  return { providers, council: readCouncil(env, providers) };
}
