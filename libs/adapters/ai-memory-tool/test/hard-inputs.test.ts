import { MaceClient } from '@mace-memory/client';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  HARD_TEXTS,
  isOverLong,
  NAME_FORMS,
  stored,
} from '../../../../test/support/hard-inputs.mjs';
import { mintToken, serviceUrl } from '../../testing/connection.mjs';
import { MaceMemoryTool, type MemoryCommand, MemoryToolError } from '../src/index.js';

function newMemory() {
  const token = mintToken({ sub: `agent-${randomUUID()}` });
  const mace = new MaceClient({ baseUrl: serviceUrl(), token });
  return { mace, memory: new MaceMemoryTool(mace) };
}
const path = '/memories/a.md';
const run = (memory: MaceMemoryTool, command: object) => memory.run(command as MemoryCommand);

describe('A text of a model', () => {
  it('is kept, and the answer says what was replaced; one that is too long is refused whole', async () => {
    const { mace, memory } = newMemory();
    for (const [place, { name, text }] of HARD_TEXTS.entries()) {
      const file = `/memories/${place}`;
      const made = await run(memory, { command: 'create', path: file, file_text: text }).catch(
        (error: unknown) => error,
      );
      const note = memory.noteOf(file);
      const kept = await mace.notes.get(note.namespace, note.key);
      if (made instanceof MemoryToolError) {
        expect(isOverLong(text), name).toBe(true);
        expect(kept).toBeUndefined();
      } else {
        expect(kept?.value, name).toBe(stored(text));
        expect(String(made).includes('U+FFFD'), name).toBe(stored(text) !== text);
      }
    }
  }, 60_000);
});

describe('A missing or surprising argument', () => {
  const values: unknown[] = [undefined, null, 1.5, true, {}, [], ['a'], NaN, () => 1];
  const wholes: Readonly<Record<string, object>> = {
    view: { path },
    create: { path: '/memories/new.md', file_text: 'text' },
    str_replace: { path, old_str: 'one', new_str: 'two' },
    insert: { path, insert_line: 0, insert_text: 'text' },
    delete: { path },
    rename: { old_path: path, new_path: '/memories/b.md' },
  };
  const cases = Object.entries(wholes).flatMap(([command, whole]) =>
    Object.keys(whole).flatMap((field) => values.map((value) => ({ command, field, value }))),
  );

  it('is a named error, and nothing changes', async () => {
    const { mace, memory } = newMemory();
    await run(memory, { command: 'create', path, file_text: 'one\n' });
    const { position } = mace;
    const optional = (field: string, value: unknown) => field === 'new_str' && value == null;
    for (const { command, field, value } of cases.filter(
      (one) => !optional(one.field, one.value),
    )) {
      const given = { command, ...wholes[command], [field]: value };
      const failed = run(memory, given);
      await expect(failed, `${command} ${field} ${String(value)}`).rejects.toThrow(MemoryToolError);
    }
    for (const given of [undefined, null, 1, 'view', {}, { command: 'unknown' }, { command: 1 }])
      await expect(run(memory, given as object)).rejects.toThrow(MemoryToolError);
    for (const view_range of [1, 'a', [1], [1, 2, 3], ['1', '2'], [1.5, 2], [3, 1], {}])
      await expect(run(memory, { command: 'view', path, view_range })).rejects.toThrow(
        MemoryToolError,
      );
    expect(mace.position).toBe(position);
  }, 60_000);

  it('new_str that is missing deletes the text', async () => {
    const { memory } = newMemory();
    await run(memory, { command: 'create', path, file_text: 'one two' });
    await run(memory, { command: 'str_replace', path, old_str: ' two' });
    expect(await run(memory, { command: 'view', path })).toMatch(/\tone$/);
  });
});

describe('A file with carriage returns', () => {
  it('is edited by the lines that a view shows, and keeps its line ends', async () => {
    const { mace, memory } = newMemory();
    await run(memory, { command: 'create', path, file_text: 'one\r\ntwo\r\nthree\r\n' });
    expect(await run(memory, { command: 'view', path })).not.toContain('\r');
    await run(memory, { command: 'str_replace', path, old_str: 'one\ntwo', new_str: '1\n2' });
    await run(memory, { command: 'insert', path, insert_line: 1, insert_text: 'a\nb\n' });
    const { namespace, key } = memory.noteOf(path);
    expect((await mace.notes.get(namespace, key))?.value).toBe('1\r\na\r\nb\r\n2\r\nthree\r\n');
  });
});

describe('What is listed', () => {
  it('can be read, also if another program wrote it under a name that no path can have', async () => {
    const { mace, memory } = newMemory();
    const names = ['a/b', '..', '.', 'c\\d', '%2e%2e', '%2f', 'plain', '∕', 'e f', '100%'];
    for (const name of names) await mace.notes.put(['memories'], name, `text of ${name}`);
    await mace.notes.put(['memories', 'x/y'], 'z', 'text of z');
    const listing = await run(memory, { command: 'view', path: '/memories' });
    const shown = listing
      .split('\n')
      .slice(2)
      .map((line) => line.split('\t')[1]!);
    const files = shown.filter((line) => !line.endsWith('/'));
    const texts = new Set<string>();
    for (const file of files) texts.add(await run(memory, { command: 'view', path: file }));
    expect(texts.size).toBe(files.length);
    expect(files).toHaveLength(names.length + 1);
  });

  it('has names that differ only in their Unicode form once', async () => {
    const { memory, mace } = newMemory();
    const [composed, decomposed] = NAME_FORMS;
    await mace.notes.put(['memories'], composed, 'text');
    await expect(
      run(memory, { command: 'create', path: `/memories/${decomposed}`, file_text: 'other' }),
    ).rejects.toThrow('already exists');
    expect(await run(memory, { command: 'view', path: `/memories/${decomposed}` })).toContain(
      'text',
    );
  });
});

describe('A rename of a directory', () => {
  it('that cannot write one of the files changes nothing', async () => {
    const { memory } = newMemory();
    const deep = `${'d'.repeat(100)}/`.repeat(13);
    await run(memory, { command: 'create', path: '/memories/from/a.md', file_text: 'a' });
    await run(memory, { command: 'create', path: `/memories/from/${deep}b.md`, file_text: 'b' });
    const to = `/memories/${'t'.repeat(128)}/${'u'.repeat(128)}/${'v'.repeat(128)}/${'w'.repeat(128)}`;
    await expect(
      run(memory, { command: 'rename', old_path: '/memories/from', new_path: to }),
    ).rejects.toThrow(MemoryToolError);
    expect(await run(memory, { command: 'view', path: '/memories/from/a.md' })).toContain('\ta');
    await expect(run(memory, { command: 'view', path: to })).rejects.toThrow('does not exist');
  });
});
