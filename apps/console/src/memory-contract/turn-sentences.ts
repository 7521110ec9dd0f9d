import type { Json, MemoryTurn } from '#client/index.js';
import type { MemoryTrace } from '#domain/memory-contract/events.js';
import { kindOf } from '#domain/memory-contract/store/ledger.js';
import {
  BORDERS,
  CONFLICTS,
  DELETED,
  DENIED,
  FORGOTTEN,
  KINDS,
  LEFT_OUT,
  SPACES_IN_WORDS,
} from './reasons';

/** The speaker beside whose words a sentence stands; `turn` stands for what concerns the turn as a whole. */
export type Side = 'user' | 'ai' | 'tool' | 'turn';

/** What became of a part of a turn, in words, with the JSON that says so. */
export interface Sentence {
  readonly side: Side;
  /** `later` is what a later turn has changed. */
  readonly tone: 'kept' | 'not' | 'later' | 'told';
  readonly words: string;
  readonly json: Json;
  /** The number of the event that says so. */
  readonly number: number;
  /** The item that the sentence is about, if it was stored. */
  readonly item?: string;
}

type Decision = {
  readonly [Type in MemoryTrace['type']]: {
    readonly type: Type;
    readonly number: number;
  } & Extract<MemoryTrace, { type: Type }>['data'];
}[MemoryTrace['type']];
type DecisionOf<Type extends Decision['type']> = Extract<Decision, { type: Type }>;

type Stored = MemoryTurn['stored'][number];

/** Returns what was kept of a turn, what was not and why, and what became of it later. */
export function sentencesOf(turn: MemoryTurn): readonly Sentence[] {
  const decisions = turn.decisions as unknown as readonly Decision[];
  const own = new Set(decisions.map(({ number }) => number));
  return [
    ...turn.stored.flatMap((stored) => [kept(stored), ...later(stored, own)]),
    ...turn.left_out.map((entry): Sentence => {
      const { source, kind, reason } = entry;
      const words = `Not kept as ${KINDS[kind]}: ${LEFT_OUT[reason]}.`;
      return { side: source, tone: 'not', words, json: { ...entry }, number: turn.number };
    }),
    ...decisions.flatMap((decision) => decided(decision, turn, decisions)),
    ...unchanged(turn, decisions),
    ...forgotten(decisions),
  ];
}

const isSummary = ({ item }: Stored): boolean => item.meta['summary_of'] !== undefined;

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

function kept(stored: Stored): Sentence {
  const { item, number } = stored;
  const { key, expires_at, event_type, space } = item.meta;
  const place = SPACES_IN_WORDS[textOf(space) as keyof typeof SPACES_IN_WORDS] ?? 'this space';
  const end = typeof expires_at === 'number' ? `, until tick ${expires_at}` : '';
  const words = {
    short_term: isSummary(stored)
      ? `Kept for ${place}: a summary of the turns that left the last turns.`
      : `Kept for ${place}: one of the last turns${end}.`,
    semantic: `Kept for ${place}: knowledge, as ${textOf(event_type)}${end}.`,
    profile: `Kept as profile fact ${textOf(key)} = ${item.text}${end === '' ? ' until it is replaced' : end}.`,
  }[item.kind];
  const side = item.source === 'system' ? 'turn' : item.source;
  return { side, tone: 'kept', words, json: { ...item }, number, item: item.id };
}

/** What a later turn has done to an item. What its own turn has done, its decisions say. */
function later(stored: Stored, own: ReadonlySet<number>): readonly Sentence[] {
  const { item, deleted } = stored;
  if (deleted === null || own.has(deleted.number)) return [];
  const side = item.source === 'system' ? 'turn' : item.source;
  const isTurn = item.kind === 'short_term' && deleted.reason === 'expired';
  const words = isTurn
    ? 'Left the last turns later: the summary of its phase covers it.'
    : isSummary(stored)
      ? 'A later summary took its place.'
      : `${DELETED[deleted.reason]}.`;
  return [{ side, tone: 'later', words, json: { ...deleted }, number: deleted.number }];
}

/** The side of an item that was not stored. Only a user and a tool make items that can lose against another one. */
const sideOf = (kind: string, eventType: string | undefined): Side =>
  kind === 'semantic' && eventType === 'execution' ? 'tool' : 'user';

function decided(
  decision: Decision,
  turn: MemoryTurn,
  decisions: readonly Decision[],
): readonly Sentence[] {
  const say = (side: Side, tone: Sentence['tone'], words: string): readonly Sentence[] => [
    { side, tone, words, json: jsonOf(decision), number: decision.number },
  ];
  switch (decision.type) {
    case 'memory_denied': {
      const { source, kind } = decision.attempted;
      const side = source === 'system' ? 'turn' : source;
      return say(side, 'not', `Not kept as ${KINDS[kind]}: ${deniedWords(decision, turn)}.`);
    }
    case 'memory_border_check':
      return stopped(decision).flatMap((words) => say('turn', 'not', words));
    case 'memory_conflict': {
      const { winner_id, loser_id, rule, explanation } = decision;
      const isKept = turn.stored.some(({ item }) => item.id === winner_id);
      const type = explanation.event_type[isKept ? 'winner' : 'loser'];
      const kind = kindOf(loser_id);
      return isKept
        ? say(sideOf(kind, type), 'told', `Took the place of an earlier item: ${CONFLICTS[rule]}.`)
        : say(sideOf(kind, type), 'not', `Not kept as ${KINDS[kind]}: ${CONFLICTS[rule]}.`);
    }
    case 'memory_promoted':
      return say('user', 'kept', `Moved to the space ${decision.to_space}, as the user asked.`);
    case 'memory_promotion_denied':
      return say(
        'user',
        'not',
        `Not moved to the space ${decision.to_space}: ${BORDERS[decision.reason]}.`,
      );
    case 'memory_phase_started': {
      const { phase_id, phase_name } = decision;
      return say('turn', 'told', `A phase begins: ${phase_name ?? phase_id}.`);
    }
    case 'memory_recall': {
      const { recalled, query } = decision;
      const count = `${recalled.length} item${recalled.length === 1 ? '' : 's'}`;
      return say('turn', 'told', `Recalled ${count} for “${query}”.`);
    }
    case 'memory_phase_diff': {
      const { from_phase_id, to_phase_id, summary_lines } = decision;
      const found = summary_lines.length === 0 ? 'nothing changed' : summary_lines.join(', ');
      return say('turn', 'told', `Compared ${from_phase_id} with ${to_phase_id}: ${found}.`);
    }
    case 'memory_deleted':
      return isAlone(decision, decisions)
        ? say('turn', 'told', `${decision.memory_id} was let go.`)
        : [];
    case 'memory_forget':
    case 'memory_write':
      return [];
  }
}

const jsonOf = (decision: Decision): Json => decision;

/** The detector and the list of words refuse with one reason; the text itself says which of them it was. */
function deniedWords({ attempted, reason }: DecisionOf<'memory_denied'>, turn: MemoryTurn): string {
  const { source } = attempted;
  const said = source === 'system' ? null : turn[source];
  const isPersonal = said?.withheld === 'personal_data' && reason === 'privacy_deny_sensitive';
  return DENIED[isPersonal ? 'personal_data' : reason];
}

function stopped(check: DecisionOf<'memory_border_check'>): readonly string[] {
  const { action, allowed, reason, from_space } = check;
  if (allowed) return [];
  const words = {
    read: `The space ${from_space} was not read`,
    write: 'Not kept',
    phase_start: 'No phase began',
    phase_diff: 'No phases were compared',
    promote: undefined,
  }[action];
  return words === undefined ? [] : [`${words}: ${BORDERS[reason]}.`];
}

/** True for a deletion that no other sentence speaks of. */
function isAlone(
  { memory_id, reason }: DecisionOf<'memory_deleted'>,
  decisions: readonly Decision[],
): boolean {
  if (reason !== 'expired') return false;
  return !decisions.some(
    (other) => other.type === 'memory_forget' && other.memory_id === memory_id,
  );
}

/** A write that passed the border and left no other mark: the store had the same already. */
function unchanged(turn: MemoryTurn, decisions: readonly Decision[]): readonly Sentence[] {
  const known = new Set([
    ...turn.stored.map(({ item }) => item.id),
    ...decisions.flatMap((decision) =>
      decision.type === 'memory_denied'
        ? [decision.attempted.id]
        : decision.type === 'memory_conflict'
          ? [decision.loser_id]
          : [],
    ),
  ]);
  return decisions.flatMap((decision): Sentence[] => {
    if (decision.type !== 'memory_border_check' || decision.action !== 'write') return [];
    const { subject_id: id, allowed, number } = decision;
    if (!allowed || id === undefined || known.has(id)) return [];
    const words = `Not kept again as ${KINDS[kindOf(id)]}: the same is kept already.`;
    return [{ side: 'user', tone: 'not', words, json: jsonOf(decision), number }];
  });
}

/** The earlier items that a turn let go, in one sentence for each reason. */
function forgotten(decisions: readonly Decision[]): readonly Sentence[] {
  const groups = new Map<string, DecisionOf<'memory_forget'>[]>();
  for (const decision of decisions) {
    if (decision.type !== 'memory_forget') continue;
    const name = `${decision.kind} ${decision.reason}`;
    groups.set(name, [...(groups.get(name) ?? []), decision]);
  }
  return [...groups.values()].map((group): Sentence => {
    const { kind, reason, number } = group[0]!;
    const count = `${group.length} earlier ${group.length === 1 ? 'item' : 'items'}`;
    const words =
      kind === 'short_term' && reason === 'decay'
        ? `${count} left the last turns: the summary covers them.`
        : `${count} of ${KINDS[kind]} let go: ${FORGOTTEN[reason]}.`;
    return { side: 'turn', tone: 'told', words, json: group.map(jsonOf), number };
  });
}
