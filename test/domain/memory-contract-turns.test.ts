import { describe, expect, it } from '@jest/globals';
import { leftOut } from '#domain/memory-contract/interaction/left-out.js';
import {
  type MemorySettings,
  type PolicyRequest,
  policyOf,
} from '#domain/memory-contract/policy.js';
import { turnsOf } from '#domain/memory-contract/trace/turns.js';
import { recordableText, toolText } from '#domain/memory-contract/utterance/utterance.js';
import { MemoryWorld } from './memory-contract-world.js';

const SETTINGS: MemorySettings = { short_term: 4, semantic: true, profile: true };

function leftOutOf(
  text: string,
  {
    settings = {},
    policy = {},
  }: { settings?: Partial<MemorySettings>; policy?: PolicyRequest } = {},
) {
  const made = policyOf(policy);
  const said = {
    user: recordableText(text, 'user', made, false),
    tool: { text: toolText([{ ok: true }]) },
    settings: { ...SETTINGS, ...settings },
  };
  return leftOut(said, made).map(({ source, kind, reason }) => `${source} ${kind} ${reason}`);
}

describe('What a turn did not try to keep', () => {
  it('a greeting, plain context and what the settings switch off are left out, each with its reason', () => {
    expect(leftOutOf('Hello!')).toStrictEqual(['user semantic low_signal']);
    expect(leftOutOf('The sky was red.')).toStrictEqual(['user semantic plain_context']);
    expect(leftOutOf('The sky was red.', { policy: { write_policy: 'aggressive' } })).toStrictEqual(
      [],
    );
    expect(leftOutOf('My name is Ada.')).toStrictEqual([]);
    expect(leftOutOf('I prefer it if my name is Ada.')).toStrictEqual([
      'user profile not_stated_as_fact',
    ]);
    expect(
      leftOutOf('My name is Ada.', { settings: { semantic: false, profile: false } }),
    ).toStrictEqual([
      'user semantic semantic_off',
      'user profile profile_off',
      'tool semantic semantic_off',
    ]);
  });
});

describe('The turns of a store', () => {
  const timed = (world: MemoryWorld, stream: string) =>
    (world.streams.get(stream) ?? []).map((event, number) => ({
      number,
      recorded_at: `t${number}`,
      event,
    }));

  it('a turn has its input, what it stored and its decisions; the last step of a promotion belongs to it', () => {
    const world = new MemoryWorld();
    world.say({ user_text: 'I like tea, remember this for me.' });
    world.recall({ query: 'tea' });
    const turns = turnsOf(timed(world, 'memory-session:s1'));
    expect(turns.map(({ type }) => type)).toStrictEqual(['interaction_recorded', 'recall_asked']);
    const [said] = turns;
    expect(said!.interaction?.user).toStrictEqual({ text: 'I like tea, remember this for me.' });
    expect(said!.stored.map(({ of }) => of.kind)).toStrictEqual([
      'short_term',
      'short_term',
      'semantic',
    ]);
    const types = said!.decisions.map(({ of }) => of.type);
    expect(types).toContain('memory_promoted');
    expect(types).toContain('memory_write');
    expect(said!.recorded_at).toBe('t0');
  });

  it('outcomes before the first input are left out, and a last step without its turn stands alone', () => {
    const world = new MemoryWorld();
    world.say({ user_text: 'I like tea, remember this for me.' });
    const events = timed(world, 'memory-session:s1');
    const finished = events.findIndex(({ event }) => event.type === 'interaction_finished');
    expect(turnsOf(events.slice(1)).map(({ number, type }) => [number, type])).toStrictEqual([
      [finished, 'interaction_finished'],
    ]);
  });
});
