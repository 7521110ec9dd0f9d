import { expect, it } from 'vitest';
import { badCalls } from '../../testing/arguments.mjs';
import { MaceMemoryTool, type MaceMemoryToolOptions, type MemoryCommand } from '../src/index.js';
import { newClient } from './support.js';

const mace = newClient();
const tool = new MaceMemoryTool(mace);
const position = () => mace.position;
const path = '/memories/a.md';
const COMMANDS: readonly MemoryCommand[] = [
  { command: 'view', path, view_range: [1, 2] },
  { command: 'create', path: '/memories/new.md', file_text: 'text' },
  { command: 'str_replace', path, old_str: 'one', new_str: 'one' },
  { command: 'insert', path, insert_line: 0, insert_text: 'text' },
  { command: 'delete', path: '/memories/none' },
  { command: 'rename', old_path: '/memories/none', new_path: '/memories/b.md' },
];

it.each(COMMANDS)(
  '$command names an argument that it cannot use, and writes nothing',
  async (whole) => {
    await tool.create({ command: 'create', path, file_text: 'one' }).catch(() => undefined);
    const methods = tool as unknown as Record<string, (command: unknown) => Promise<string>>;
    for (const call of [
      (command: MemoryCommand) => tool.run(command),
      (command: MemoryCommand) => methods[whole.command]!(command),
    ])
      expect(await badCalls({ whole: [whole], call, position })).toStrictEqual([]);
  },
  60_000,
);

it('new MaceMemoryTool and noteOf name an argument that they cannot use', async () => {
  const made = (options: MaceMemoryToolOptions) =>
    new MaceMemoryTool(mace, options).view({ command: 'view', path: '/memories' });
  expect(await badCalls({ whole: [{ namespace: ['a'] }], call: made, position })).toStrictEqual([]);
  const noteOf = (given: string) => tool.noteOf(given);
  expect(await badCalls({ whole: [path], call: noteOf, position })).toStrictEqual([]);
});
