import { SPACES, type Space } from '#domain/memory-contract/item.js';
import type { RouteRoles } from '../platform/auth/roles.js';
import { OneOf, Text } from '../platform/http/fields.js';
import { ReadRequest } from '../platform/http/request.js';

export const STORE_READERS: RouteRoles = {
  own: ['agent'],
  of: 'session',
  all: ['admin', 'auditor', 'council'],
};

/** A read of one store. */
export abstract class StoreRead<Body> extends ReadRequest<Body> {
  @OneOf(SPACES) space!: Space;

  @Text({ min: 1, max: 256, description: 'The owner, as in an item’s `meta.owner`.' })
  owner!: string;
}
