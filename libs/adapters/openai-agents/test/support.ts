import type * as sdk from '@mace-memory/client';
import type { AgentInputItem } from '@openai/agents-core';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { mintToken, serviceUrl } from '../../testing/connection.mjs';

// An application has a copy of the SDK of its own, whose classes are not those of the adapter: here the CommonJS one.
const { MaceClient } = createRequire(import.meta.url)('@mace-memory/client') as typeof sdk;

/** Returns a client of an agent that has no data yet. */
export const newClient = (
  sub = `agent-${randomUUID()}`,
  options: Partial<sdk.MaceClientOptions> = {},
): sdk.MaceClient =>
  new MaceClient({ baseUrl: serviceUrl(), token: mintToken({ sub }), ...options });

export const userSaid = (content: string): AgentInputItem => ({ role: 'user', content });

export const assistantSaid = (text: string): AgentInputItem => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});

export const functionCall = (callId: string, name: string, args = '{}') =>
  ({ type: 'function_call', callId, name, arguments: args, status: 'completed' }) as const;
