import type * as sdk from '@mace-memory/client';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { mintToken, serviceUrl, type TokenOwner } from '../../testing/connection.mjs';

// An application has a copy of the SDK of its own, whose classes are not those of the adapter: here the CommonJS one.
const { MaceClient } = createRequire(import.meta.url)('@mace-memory/client') as typeof sdk;

/** Returns a client of an owner that has no data yet. */
export const newClient = (
  owner: Partial<TokenOwner> = {},
  options: Partial<sdk.MaceClientOptions> = {},
): sdk.MaceClient =>
  new MaceClient({
    baseUrl: serviceUrl(),
    token: mintToken({ sub: `agent-${randomUUID()}`, ...owner }),
    ...options,
  });
