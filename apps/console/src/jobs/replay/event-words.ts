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

type Words = (data: JsonObject) => string;

const WORDS: Readonly<Record<JobEvent['type'], Words>> = {
  job_started: ({ goal }) => `The job started${quoted(text(goal))}`,
  wm_inserted: (data) =>
    `A ${text(data['type'])} came into working memory${quoted(valueText(data))}`,
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
  goal_set: ({ goal }) => `The goal was set${quoted(text(goal))}`,
  cwm_aged: ({ item_id }) => `${text(item_id)} aged, because it has no word of the new goal`,
  episode_written: ({ summary }) => `An episode was written${quoted(text(summary))}`,
  episode_consolidated: ({ summary }) =>
    `An episode was made from working memory${quoted(text(summary))}`,
  episodic_summary: ({ summary }) => `The job was summed up${quoted(text(summary))}`,
  memory_read: ({ kind, ids }) =>
    `The job read ${Array.isArray(ids) ? ids.length : 0} results of ${text(kind)}`,
  job_ended: () => 'The job ended',
  query_asked: ({ query_text }) => `A question was asked${quoted(text(query_text))}`,
  router_decision: ({ agent_id, route_reason }) =>
    agent_id === null
      ? 'The router found no agent'
      : `The router chose ${text(agent_id)} (${text(route_reason)})`,
  router_miss: () => 'No rule of the router matched',
  agent_answered: ({ agent_id, text: answer }) =>
    `${text(agent_id)} answered${quoted(text(answer))}`,
  agent_failed: ({ agent_id, code }) => `${text(agent_id)} failed: ${text(code)}`,
  agent_degraded: ({ agent_id }) => `${text(agent_id)} is not asked again`,
  sem_miss: ({ key }) => `There is no fact ${text(key)}`,
  pii_redacted: () => 'Personal data was removed from an answer',
  council_voted: ({ votes }) =>
    `The council voted, ${Array.isArray(votes) ? votes.length : 0} votes`,
  answer_verified: ({ vote }) =>
    vote === null ? 'The check of the answer failed' : 'The answer was checked',
  answer_judged: ({ outcome }) => `The answer was judged: ${text(outcome)}`,
  confirmation_met: () => 'The confirmation was carried out',
  query_concluded: ({ answer }) => `The query ended${quoted(text(answer))}`,
};

export function wordsOf({ type, data }: Pick<RecordEvent, 'type' | 'data'>): string {
  const words = Object.hasOwn(WORDS, type) ? WORDS[type as JobEvent['type']] : undefined;
  return words?.(data) ?? type;
}
