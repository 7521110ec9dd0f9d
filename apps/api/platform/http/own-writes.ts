import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LruMap, stringBytes } from '#bounded/lru-map.js';
import { ownUserId } from '#domain/ownership/access.js';
import { subjectOfUser } from '#domain/privacy/subject.js';
import type { Actor } from '#domain/recorded-event.js';
import { laterOf } from '#read-model/later-of.js';

const MAX_BYTES = 1_500_000;
const POSITION_BYTES = 24;

const userNamedIn = (part: unknown): string | undefined => {
  const { user_id } = (part ?? {}) as { readonly user_id?: unknown };
  return typeof user_id === 'string' ? user_id : undefined;
};

/** Returns those whose writes an answer shows: the caller, and the person for whom the request acts. */
export function writersOf(actor: Actor, { body, query }: FastifyRequest): readonly string[] {
  const person = ownUserId(actor) ?? userNamedIn(body) ?? userNamedIn(query);
  return person === undefined ? [actor.sub] : [actor.sub, subjectOfUser(person)];
}

/**
 * For each writer, the log position that a read must show to include the writer's own writes on this instance (SPEC C1).
 * A writer is a caller or a person: what one agent remembers about a person, the person's next agent recalls at once.
 */
@Injectable()
export class OwnWrites {
  private readonly positions = new LruMap<string, bigint>({
    maxBytes: MAX_BYTES,
    bytesOf: (_, writer) => stringBytes(writer) + POSITION_BYTES,
  });
  private appended = 0n;

  /** The position of the last event that this process appended; 0 before its first append. */
  get end(): bigint {
    return this.appended;
  }

  /** Notes that this process appended an event at `position`. */
  noteAppend(position: bigint): void {
    if (position > this.appended) this.appended = position;
  }

  /**
   * Notes that a write at `position` is acknowledged. The events that it caused in other streams, such as the
   * ReflectiveLog of an ended job, are appended by now and count as own, too. Keeps about the 5,000 writers with the
   * latest writes.
   */
  noteAnswer(writers: readonly string[], position: bigint): void {
    const last = position > this.appended ? position : this.appended;
    for (const writer of writers) this.positions.set(writer, last);
  }

  /** Returns the position that a reader of these writers must see; undefined if no write of theirs is known. */
  positionOf(writers: readonly string[]): bigint | undefined {
    return writers.map((writer) => this.positions.peek(writer)).reduce(laterOf, undefined);
  }
}
