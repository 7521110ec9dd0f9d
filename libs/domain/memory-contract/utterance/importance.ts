import type { EventType, Source } from '../item.js';

const BASE: Readonly<Record<EventType, number>> = {
  preference: 3,
  decision: 3,
  fact: 4,
  correction: 4,
  execution: 2,
  context: 1,
};

const EMPHASIS = ['always', 'never', 'must', 'avoid'];

export interface Importance {
  readonly importance: number;
  readonly importance_reason: readonly string[];
}

/** Returns the importance of a text and the reasons for it (SPEC M5). */
export function importanceOf(eventType: EventType, text: string, source: Source): Importance {
  const lowered = text.toLowerCase();
  const raised = [
    ...(source === 'user' ? ['source:user'] : []),
    ...(EMPHASIS.some((word) => lowered.includes(word)) ? ['emphasis'] : []),
    ...(eventType === 'correction' ? ['corrective'] : []),
  ];
  return {
    importance: BASE[eventType] + raised.length,
    importance_reason: [`event:${eventType}`, ...raised],
  };
}
