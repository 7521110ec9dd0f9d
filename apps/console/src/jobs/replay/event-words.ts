import type { Json, JsonObject } from '#client/index.js';
import { type JobEvent, jobSchemas } from '#domain/job/events.js';
import type { RecordEvent } from '../record/job-record';

/** An entry that shows its value, or that its value is sealed. */
interface Holder {
  readonly value?: Json;
  readonly sealed?: { readonly type: string };
}

/** Returns a value as text on one line; a sealed, redacted or erased value is named as such. */
export function valueText({ value, sealed }: Holder): string {
  if (sealed !== undefined) return `[sealed: ${sealed.type}]`;
  if (typeof value === 'string') return value;
  if (isObject(value) && value['redacted'] === true)
    return `[redacted${typeof value['type'] === 'string' ? `: ${value['type']}` : ''}]`;
  if (isObject(value) && value['erased'] === true) return '[erased]';
  return JSON.stringify(value ?? null);
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether a type of event is an input or an outcome; undefined for a type that the console does not know. */
export const kindOf = (type: string): 'input' | 'outcome' | undefined =>
  Object.hasOwn(jobSchemas, type) ? jobSchemas[type as JobEvent['type']].kind : undefined;

const text = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const quoted = (words: string): string => (words === '' ? '' : `: ${words}`);

/** The most ids of one event that are listed. */
const MAX_IDS = 3;

function listed(ids: Json | undefined): string {
  const all = Array.isArray(ids) ? ids.map(text) : [];
  const more = all.length > MAX_IDS ? ` and ${all.length - MAX_IDS} more` : '';
  return all.length === 0 ? 'nothing' : `${all.slice(0, MAX_IDS).join(', ')}${more}`;
}

const factWords = (key: Json | undefined, value: Json | undefined): string =>
  `${text(key)} = ${valueText({ value: value ?? null })}`;

/** Returns what an entry says, the speaker or the name first: `user: no flight before 11`, `tool weather: rain`. */
function entryWords(data: JsonObject): string {
  const { value, type } = data;
  const whole = `${text(type)}: ${valueText(data)}`;
  if (!isObject(value) || data['sealed'] !== undefined) return whole;
  const { role, name, content, key } = value;
  if (typeof role === 'string' && typeof content === 'string')
    return `${role}${typeof name === 'string' ? ` ${name}` : ''}: ${content}`;
  if (typeof key === 'string' && 'value' in value)
    return `kept fact ${factWords(key, value['value'])}`;
  const [field, ...others] = Object.keys(value);
  if (field === undefined || others.length > 0 || value[field] === true) return whole;
  return `${field}: ${valueText({ value: value[field] ?? null })}`;
}

function confirmedWords(outcome: Json | undefined): string {
  const { done, code } = isObject(outcome) ? outcome : {};
  if (done === 'remembered') return 'The confirmed fact was kept';
  return done === 'refused'
    ? `The confirmation was refused: ${text(code)}`
    : 'The confirmed review was requested';
}

type Words = (data: JsonObject) => string;

/** What each event says: its content first, as far as it has one. */
const WORDS: Readonly<Record<JobEvent['type'], Words>> = {
  job_started: ({ goal }) => `The job started${quoted(text(goal))}`,
  wm_inserted: entryWords,
  wm_referenced: ({ wm_id }) => `${text(wm_id)} was used`,
  cwm_referenced: ({ item_id }) => `${text(item_id)} was used`,
  wm_forgotten: ({ wm_id }) => `The agent removed ${text(wm_id)} from working memory`,
  cwm_forgotten: ({ item_id }) => `The agent removed ${text(item_id)} from consolidated memory`,
  ticked: ({ tick }) => `Tick ${text(tick)} began`,
  promotion_event: ({ wm_id }) => `${text(wm_id)} was promoted to consolidated memory`,
  cwm_returned: ({ item_id, wm_id }) =>
    `${text(item_id)} returned to working memory as ${text(wm_id)}`,
  wm_expired: ({ wm_id }) => `${text(wm_id)} expired in working memory`,
  cwm_expired: ({ item_id }) => `${text(item_id)} expired in consolidated memory`,
  cwm_evicted: ({ item_id }) => `${text(item_id)} left consolidated memory to keep its budget`,
  goal_set: ({ goal }) => `goal: ${text(goal)}`,
  cwm_aged: ({ item_id }) => `${text(item_id)} aged, because it has no word of the new goal`,
  episode_written: ({ summary }) => `episode: ${text(summary)}`,
  episode_consolidated: ({ summary }) => `episode from working memory: ${text(summary)}`,
  episodic_summary: ({ summary }) => `The job was summed up${quoted(text(summary))}`,
  memory_read: ({ kind, ids }) => `read ${listed(ids)} by ${text(kind)}`,
  job_ended: () => 'The job ended',
  query_asked: ({ query_text }) => `question: ${text(query_text)}`,
  router_decision: ({ agent_id, route_reason }) =>
    agent_id === null
      ? 'The router found no agent'
      : `The router chose ${text(agent_id)} (${text(route_reason)})`,
  router_miss: () => 'No rule of the router matched',
  agent_answered: ({ agent_id, text: answer }) => `agent ${text(agent_id)}: ${text(answer)}`,
  agent_failed: ({ agent_id, code }) => `${text(agent_id)} failed: ${text(code)}`,
  agent_degraded: ({ agent_id }) => `${text(agent_id)} is not asked again`,
  sem_miss: ({ key }) => `There is no fact ${text(key)}`,
  pii_redacted: () => 'Personal data was removed from an answer',
  council_voted: ({ votes }) =>
    `The council voted, ${Array.isArray(votes) ? votes.length : 0} votes`,
  answer_verified: ({ vote }) =>
    vote === null ? 'The check of the answer failed' : 'The answer was checked',
  answer_judged: ({ outcome }) => `The answer was judged: ${text(outcome)}`,
  confirmation_met: ({ outcome }) => confirmedWords(outcome),
  query_concluded: ({ answer }) => `The query ended${quoted(text(answer))}`,
};

export function wordsOf({ type, data }: Pick<RecordEvent, 'type' | 'data'>): string {
  const words = Object.hasOwn(WORDS, type) ? WORDS[type as JobEvent['type']] : undefined;
  return words?.(data) ?? type;
}
