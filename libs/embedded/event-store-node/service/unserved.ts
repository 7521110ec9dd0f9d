import { Refused, Status, unimplemented } from '../protocol/status.js';

/** The services of EventStoreDB that a client may reasonably expect, and what it can do instead. */
const UNSERVED: readonly (readonly [service: string, sentence: string])[] = [
  [
    '/event_store.client.persistent_subscriptions.',
    'The embedded event store has no persistent subscriptions: subscribe to a stream or to $all, and ' +
      'keep your position, or connect to EventStoreDB',
  ],
  [
    '/event_store.client.projections.',
    'The embedded event store has no projections: subscribe to $all, or connect to EventStoreDB',
  ],
  [
    '/event_store.client.users.',
    'The embedded event store has no users: its secret protects it. Only EventStoreDB has users',
  ],
];

/** Returns the refusal of a method that this node does not serve. */
export function refuseUnknown(path: string): Refused {
  const unserved = UNSERVED.find(([service]) => path.startsWith(service));
  return unserved ? new Refused(Status.unimplemented, unserved[1]) : unimplemented(path);
}
