import type * as sdk from '@mace-memory/client';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { mintToken, serviceUrl } from '../../testing/connection.mjs';
import { MaceMemoryTool } from '../src/index.js';

// An application has a copy of the SDK of its own, whose classes are not those of the adapter: here the CommonJS one.
const { MaceClient } = createRequire(import.meta.url)('@mace-memory/client') as typeof sdk;

/** Returns a client of an agent that has no notes yet. */
export const newClient = (
  sub = `agent-${randomUUID()}`,
  options: Partial<sdk.MaceClientOptions> = {},
): sdk.MaceClient =>
  new MaceClient({ baseUrl: serviceUrl(), token: mintToken({ sub }), ...options });

export interface Memory {
  readonly mace: sdk.MaceClient;
  readonly tool: MaceMemoryTool;
}

export function newMemory(mace = newClient()): Memory {
  return { mace, tool: new MaceMemoryTool(mace) };
}
