import type { LoggedEvent } from '#event-store/event-store.js';

/** An event as the routes show it: as it is stored, so personal data is sealed (SPEC P5, X1). */
export const eventView = ({ stream, number, type, data, metadata, position }: LoggedEvent) => ({
  stream,
  number,
  position: position.toString(),
  type,
  data,
  metadata,
});

export type EventView = ReturnType<typeof eventView>;
