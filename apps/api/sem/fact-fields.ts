import { joinKey } from '#domain/canonical-key/canonical-key.js';
import { Text, UserIdText, Whole } from '../platform/http/fields.js';
import { ReadRequest } from '../platform/http/request.js';

const PARTS = ['scope', 'entity_type', 'entity_id', 'attribute'] as const;

/**
 * The canonical key that the four parts of a path make. Its first use refuses parts that make none with INVALID_INPUT
 * (SPEC K6).
 */
export const FactKey = (): PropertyDecorator => (prototype, property) => {
  for (const part of PARTS) Text({ min: 1, max: 256 })(prototype, part);
  Object.defineProperty(prototype, property, {
    get(this: Readonly<Record<(typeof PARTS)[number], string>>): string {
      const value = joinKey(this);
      Object.defineProperty(this, property, { value });
      return value;
    },
  });
};

/** The key of a fact in the examples of routes. */
export const EXAMPLE_KEY = {
  scope: 'world',
  entity_type: 'fact',
  entity_id: 'tower',
  attribute: 'height',
} as const satisfies Readonly<Record<(typeof PARTS)[number], string>>;

/** A read of facts in pages. */
export abstract class FactsRead<Body> extends ReadRequest<Body> {
  @Text({
    optional: true,
    max: 256,
    description:
      'The beginning of the keys. To an agent’s token without a user, one that begins with `user/<entity_type>/<entity_id>` names the user.',
  })
  prefix?: string;

  @UserIdText({
    optional: true,
    description:
      'The user that an agent’s token without a user acts for. Without one, it lists no user’s facts.',
  })
  user_id?: string;

  @Text({ optional: true, max: 512 }) cursor?: string;
  @Whole({ optional: true, min: 1, max: 1_000 }) limit?: number;
}
