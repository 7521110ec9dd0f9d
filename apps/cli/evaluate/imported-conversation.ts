import { createHash } from 'node:crypto';
import type { JobCommand } from '#client/jobs.js';
import type { MaceClient } from '#client/mace-client.js';
import { canonicalJson, canonicalSize } from '#domain/determinism/canonical-json.js';
import { SUMMARY_CODE_POINTS } from '#domain/episode/summaries.js';
import { cutToCodePoints } from '#domain/episode/tokens.js';
import { Batches } from '../import/batches.js';
import type { Conversation, Turn } from './conversations.js';

/** The bytes of an `episode_written` event beside its summary, with a margin. */
const EVENT_BYTES = 1_500;
const NAME_LETTERS = 24;

/**
 * Returns the name under which `sub` imports a conversation: its user, its session, and the beginning of its
 * jobs’ seeds. It follows from the turns, so the same `sub` imports them into a service once. It has no digits,
 * because the privacy gate could take them for personal data.
 */
export function nameOf({ name, turns }: Conversation, sub: string): string {
  const hash = createHash('sha256')
    .update(canonicalJson([sub, name, turns]))
    .digest('hex');
  const letters = hash.replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
  return `evaluation-${letters.slice(0, NAME_LETTERS)}`;
}

/** Returns the summary of the episode that holds a turn, cut to what an episode takes (SPEC E1). */
const summaryOf = ({ speaker, text }: Turn): string =>
  cutToCodePoints(`${speaker}: ${text}`, SUMMARY_CODE_POINTS);

export const isCut = (turn: Turn): boolean => summaryOf(turn) !== `${turn.speaker}: ${turn.text}`;

/** Returns the turns of each session, in the order of the file. */
function sessionsOf(turns: readonly Turn[]): readonly (readonly [Turn, ...Turn[]])[] {
  const sessions = new Map<string, [Turn, ...Turn[]]>();
  for (const turn of turns) {
    const session = sessions.get(turn.session);
    if (session === undefined) sessions.set(turn.session, [turn]);
    else session.push(turn);
  }
  return [...sessions.values()];
}

/**
 * Imports a conversation under a name: a job for each session, begun at the time of its first turn, and an
 * episode for each turn. All jobs belong to the user of that name, so that a ranking’s statistics are those of
 * this conversation (SPEC Q3). Each job ends, as a runtime's does; the episode that its end writes has no words
 * and is never found. Returns the turn of each episode. If the service has the conversation already, the same
 * requests get their first answers.
 */
export async function importConversation(
  client: MaceClient,
  name: string,
  conversation: Conversation,
  signal: AbortSignal,
  onTurns: (count: number) => void,
): Promise<ReadonlyMap<string, string>> {
  const turnOfEpisode = new Map<string, string>();
  for (const [index, turns] of sessionsOf(conversation.turns).entries()) {
    const seed = `${name}:${index + 1}`;
    const key = (part: string) => ({ idempotencyKey: `evaluate:${seed}:${part}`, signal });
    const start = {
      ...{ job_seed: seed, session_id: name, user_id: name },
      seeded_epoch: turns[0].time,
    };
    await client.jobs.start(start, key('start'));
    const results = [];
    for (const [part, commands] of batchesOf(turns).entries())
      results.push(...(await client.job(seed).batch(commands, key(`commands:${part}`))).results);
    for (const [place, { id }] of turns.entries()) {
      const { episodic_id } = results[place] as { episodic_id: string };
      turnOfEpisode.set(episodic_id, id);
    }
    onTurns(turns.length);
  }
  return turnOfEpisode;
}

function batchesOf(turns: readonly Turn[]): readonly (readonly JobCommand[])[] {
  const batches = new Batches();
  for (const turn of turns) {
    const command: JobCommand = {
      op: 'episodic_write',
      source: 'agent',
      summary: summaryOf(turn),
      payload: { turn: turn.id },
    };
    batches.add(command, canonicalSize(command) + EVENT_BYTES);
  }
  batches.add({ op: 'end' }, EVENT_BYTES);
  return batches.all();
}
