import type { Json, JsonObject } from '#domain/json.js';
import { policyOf, type PolicySnapshot } from '#domain/memory-contract/policy.js';
import {
  MemoryWorld,
  type AskedRecall,
  type SaidTurn,
} from '#test/domain/memory-contract-world.js';

/** One request of a conversation and its expected answer. README.md explains the format. */
export type GoldenStep = { readonly times?: number; readonly answer?: JsonObject } & (
  { readonly say: SaidTurn } | { readonly recall: AskedRecall }
);

export interface GoldenConversation {
  readonly about: string;
  /** The fields that every trace event has, unless the event overrides them. */
  readonly every_event: JsonObject;
  readonly steps: readonly GoldenStep[];
}

/** Replaces the abbreviations in a value by their full form. */
function expanded(value: Json, words: JsonObject): Json {
  if (typeof value === 'string') return words[value] ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => expanded(item, words));
  const pairs = Object.entries(value as JsonObject).flatMap(([key, item]): [string, Json][] =>
    key === '$policy' ? Object.entries(words[key] as JsonObject) : [[key, expanded(item, words)]],
  );
  return Object.fromEntries(pairs);
}

/** Replaces the short form of an expected answer by the full answer. */
function wholeAnswer(
  { trace, ...answer }: JsonObject,
  every_event: JsonObject,
  policy: PolicySnapshot,
): JsonObject {
  const words: JsonObject = {
    $policy: policy,
    $phase: { phase: policy.phase },
    $written: answer.written ?? null,
    $items: answer.items ?? null,
  };
  const events = (trace as readonly JsonObject[]).map((event) => ({ ...every_event, ...event }));
  return { ...answer, trace: expanded(events, words) };
}

const answerTo = (world: MemoryWorld, step: GoldenStep): Json =>
  JSON.parse(
    JSON.stringify('say' in step ? world.say(step.say) : world.recall(step.recall)),
  ) as Json;

/** Returns the complete expected answer of a step; undefined for a step that only advances ticks. */
export function expectedOf(step: GoldenStep, { every_event }: GoldenConversation) {
  if (step.answer === undefined) return undefined;
  const policy = policyOf('say' in step ? step.say.policy : step.recall.policy);
  return wholeAnswer(step.answer, every_event, policy);
}

/** Runs the conversation, and yields the actual and the expected answer of each step. */
export function* played(conversation: GoldenConversation) {
  const world = new MemoryWorld();
  for (const [index, step] of conversation.steps.entries()) {
    let actual = answerTo(world, step);
    for (let again = 1; again < (step.times ?? 1); again += 1) actual = answerTo(world, step);
    const expected = expectedOf(step, conversation);
    if (expected !== undefined) yield { step: index + 1, actual, expected };
  }
}
