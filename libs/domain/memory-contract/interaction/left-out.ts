import type { InteractionRecorded } from '../events.js';
import type { EventType, MemoryKind } from '../item.js';
import type { PolicySnapshot } from '../policy.js';
import { type Speaker, type Utterance, utteranceFrom } from '../utterance/utterance.js';
import { MINIMAL_TYPES } from './write-check.js';

export const LEFT_OUT_REASONS = [
  'semantic_off',
  'low_signal',
  'plain_context',
  'minimal_policy',
  'profile_off',
  'not_stated_as_fact',
] as const;
/** Why an interaction did not even try to make an item of a text (SPEC M18). No event says so: the rules give it again. */
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** An item that an interaction did not try to make. */
export interface LeftOut {
  readonly source: Speaker;
  readonly kind: MemoryKind;
  readonly reason: LeftOutReason;
}

type Asked = Pick<InteractionRecorded, 'user' | 'tool' | 'settings'>;

/** Returns why what the user says does not become knowledge, or null (SPEC M18). */
export function noKnowledge(
  { low_signal, event_type }: Utterance,
  { semantic }: Asked['settings'],
  { write_policy }: PolicySnapshot,
): LeftOutReason | null {
  if (!semantic) return 'semantic_off';
  if (low_signal) return 'low_signal';
  if (event_type === 'context') return write_policy === 'aggressive' ? null : 'plain_context';
  const isTaken = write_policy !== 'minimal' || MINIMAL_TYPES.includes(event_type);
  return isTaken ? null : 'minimal_policy';
}

const PROFILE_TYPES: readonly EventType[] = ['fact', 'correction'];

/** Returns why a fact that the user states does not become a profile item, or null (SPEC M18). */
export function noProfile(
  { event_type }: Utterance,
  { profile }: Asked['settings'],
): LeftOutReason | null {
  if (!profile) return 'profile_off';
  return PROFILE_TYPES.includes(event_type) ? null : 'not_stated_as_fact';
}

/** Returns what an interaction did not try to keep of its texts; a text without a fact has no profile item to leave out. */
export function leftOut({ user, tool, settings }: Asked, policy: PolicySnapshot): LeftOut[] {
  const said = utteranceFrom(user, 'user', policy);
  const knowledge = noKnowledge(said, settings, policy);
  const profile = said.fact === null ? null : noProfile(said, settings);
  const tools = tool === null || settings.semantic ? null : 'semantic_off';
  return [
    ...entry('user', 'semantic', knowledge),
    ...entry('user', 'profile', profile),
    ...entry('tool', 'semantic', tools),
  ];
}

const entry = (source: Speaker, kind: MemoryKind, reason: LeftOutReason | null): LeftOut[] =>
  reason === null ? [] : [{ source, kind, reason }];
