import { MaceClient } from '@mace-memory/client';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { mintToken, serviceUrl } from '../../testing/connection.mjs';
import { EMAIL, erase } from '../../testing/erase.mjs';
import { MaceMemoryTool, MemoryToolError } from '../src/index.js';

it('After an erasure, a listing has [ERASED] for a file, and to view it fails with a word on why', async () => {
  const userId = `user-${randomUUID()}`;
  const token = mintToken({ sub: 'agent', userId });
  const memory = new MaceMemoryTool(new MaceClient({ baseUrl: serviceUrl(), token }));
  const path = '/memories/contact.md';
  await memory.run({ command: 'create', path, file_text: EMAIL });
  await memory.run({ command: 'create', path: '/memories/plain.md', file_text: 'kept' });
  await erase(userId);

  expect(await memory.run({ command: 'view', path: '/memories' })).toContain(`[ERASED]\t${path}`);
  const commands = [
    { command: 'view', path },
    { command: 'str_replace', path, old_str: 'a' },
    { command: 'insert', path, insert_line: 0, insert_text: 'a' },
    { command: 'rename', old_path: path, new_path: '/memories/other.md' },
  ] as const;
  for (const command of commands) {
    await expect(memory.run(command)).rejects.toThrow(MemoryToolError);
    await expect(memory.run(command)).rejects.toThrow('was erased');
  }
  await memory.run({ command: 'create', path, file_text: 'anew' });
  expect(await memory.run({ command: 'view', path })).toContain('anew');
}, 60_000);
