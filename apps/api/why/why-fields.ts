import { readersOf } from '../platform/auth/roles.js';
import type { Answer } from '../platform/http/answer.js';
import { At, OneOf, PositionText, Text, Whole } from '../platform/http/fields.js';
import { type Description, ReadRequest } from '../platform/http/request.js';

export const WHY_KINDS = ['fact', 'episode', 'memory_item', 'note'] as const;
export type WhyKind = (typeof WHY_KINDS)[number];

/** The roles that may ask about a thing in memory, and the errors for a caller who may not read the thing. */
export const ABOUT: Pick<Description<never>, 'roles' | 'fails'> = {
  roles: readersOf('user'),
  fails: ['NOT_FOUND', 'SEM_NOT_FOUND'],
};

/** A read about one thing in memory. */
export abstract class AboutThing<Body> extends ReadRequest<Answer<Body>> {
  @OneOf(WHY_KINDS) kind!: WhyKind;

  @Text({
    min: 1,
    max: 512,
    description: 'The key of a fact, an episodic_id, the id of an item, or the stream of a note.',
  })
  id!: string;

  @At() at?: string;
}

/** Returns the position before which a list begins: that of the page before, or the one behind what was there then. */
export const listedBefore = (
  cursor: string | undefined,
  asOf: bigint | undefined,
): string | undefined => cursor ?? (asOf === undefined ? undefined : (asOf + 1n).toString());

/** A list about one thing in memory. */
export abstract class ListAboutThing<Body> extends AboutThing<Body> {
  @PositionText({ optional: true, description: 'The `next_cursor` of the page before.' })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 100, description: 'Default 50.' })
  limit?: number;
}
