import { MaceClient } from '@mace-memory/client';
import { randomUUID } from 'node:crypto';
import { mintToken, serviceUrl, type TokenOwner } from '../../testing/connection.mjs';

/** Returns a client of an owner that has no data yet. */
export const newClient = (owner: Partial<TokenOwner> = {}): MaceClient =>
  new MaceClient({
    baseUrl: serviceUrl(),
    token: mintToken({ sub: `agent-${randomUUID()}`, ...owner }),
  });
