import { MaceClient } from '@mace-memory/client';
import type { AgentInputItem } from '@openai/agents-core';
import { randomUUID } from 'node:crypto';
import { mintToken, serviceUrl } from '../../testing/connection.mjs';

/** Returns a client of an agent that has no data yet. */
export const newClient = (sub = `agent-${randomUUID()}`): MaceClient =>
  new MaceClient({ baseUrl: serviceUrl(), token: mintToken({ sub }) });

export const userSaid = (content: string): AgentInputItem => ({ role: 'user', content });

export const assistantSaid = (text: string): AgentInputItem => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});

export const functionCall = (callId: string, name: string, args = '{}') =>
  ({ type: 'function_call', callId, name, arguments: args, status: 'completed' }) as const;
