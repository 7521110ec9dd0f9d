import { MaceClient, type MaceClientOptions } from '@mace-memory/client';
import { randomUUID } from 'node:crypto';
import { mintToken, serviceUrl } from '../../testing/connection.mjs';
import { MaceMemoryTool } from '../src/index.js';

/** Returns a client of an agent that has no notes yet. */
export const newClient = (
  sub = `agent-${randomUUID()}`,
  options: Partial<MaceClientOptions> = {},
): MaceClient => new MaceClient({ baseUrl: serviceUrl(), token: mintToken({ sub }), ...options });

export interface Memory {
  readonly mace: MaceClient;
  readonly tool: MaceMemoryTool;
}

export function newMemory(mace = newClient()): Memory {
  return { mace, tool: new MaceMemoryTool(mace) };
}
