import { Refusal } from '#domain/errors/refusal.js';

/** Makes the refusal of a read at a version that the stream has not reached. */
export const versionAhead = (version: number, last: number): Refusal =>
  new Refusal('INVALID_INPUT', { reason: `version: ${version} is beyond the last event, ${last}` });

interface VersionedStore<State> {
  load(stream: string): Promise<{ readonly state: State }>;
  loadAt(stream: string, number: number): Promise<{ readonly state: State }>;
}

/**
 * Returns the state of a stream after its first `version` events; by default after all. @param initial the state
 * before the first event. @throws Refusal INVALID_INPUT for a version that the stream has not reached
 */
export async function stateAtVersion<State extends { readonly eventCount: number }>(
  store: VersionedStore<State>,
  stream: string,
  version: number | undefined,
  initial: State,
): Promise<State> {
  const { state } = await store.load(stream);
  if (version === undefined || version === state.eventCount) return state;
  if (version > state.eventCount) throw versionAhead(version, state.eventCount);
  return version === 0 ? initial : (await store.loadAt(stream, version - 1)).state;
}
