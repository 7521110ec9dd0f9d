import type * as sdk from '@mace-memory/client';
import type { MastraDBMessage, StorageThreadType } from '@mastra/core/memory';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { mintToken, serviceUrl } from '../../testing/connection.mjs';
import { MaceMemoryStorage } from '../src/index.js';

// An application has a copy of the SDK of its own, whose classes are not those of the adapter: here the CommonJS one.
const { MaceClient } = createRequire(import.meta.url)('@mace-memory/client') as typeof sdk;

/** Returns a client of an agent that has no memory yet. */
export const newClient = (
  sub = `agent-${randomUUID()}`,
  options: Partial<sdk.MaceClientOptions> = {},
): sdk.MaceClient =>
  new MaceClient({ baseUrl: serviceUrl(), token: mintToken({ sub }), ...options });

/** Returns the storage of an agent that has no memory yet. */
export const newStorage = (sub?: string): MaceMemoryStorage =>
  new MaceMemoryStorage(newClient(sub));

const START = Date.parse('2026-01-01T00:00:00.000Z');

/** Returns a time so many seconds after the tests' first one. */
export const at = (seconds: number): Date => new Date(START + seconds * 1_000);

export const aThread = (thread: Partial<StorageThreadType> = {}): StorageThreadType => ({
  id: `thread-${randomUUID()}`,
  resourceId: `resource-${randomUUID()}`,
  title: 'A trip',
  metadata: { city: 'Rome' },
  createdAt: at(0),
  updatedAt: at(0),
  ...thread,
});

export const aMessage = (
  threadId: string,
  text: string,
  { content, ...message }: Partial<MastraDBMessage> = {},
): MastraDBMessage => ({
  id: `message-${randomUUID()}`,
  threadId,
  role: 'user',
  createdAt: at(0),
  content: { format: 2, parts: [{ type: 'text', text }], content: text, ...content },
  ...message,
});

export const textsOf = (messages: readonly MastraDBMessage[]) =>
  messages.map(({ content }) => content.content);

export const idsOf = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);
