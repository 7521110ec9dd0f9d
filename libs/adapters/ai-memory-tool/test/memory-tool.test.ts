import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MaceMemoryTool, type MemoryCommand, MemoryToolError } from '../src/index.js';
import { newClient, newMemory } from './support.js';

const create = (path: string, file_text: string): MemoryCommand => ({
  command: 'create',
  path,
  file_text,
});
const view = (path: string, view_range?: number[]): MemoryCommand => ({
  command: 'view',
  path,
  view_range,
});
const replace = (path: string, old_str: string, new_str: string): MemoryCommand => ({
  command: 'str_replace',
  path,
  old_str,
  new_str,
});
const insert = (path: string, insert_line: number, insert_text: string): MemoryCommand => ({
  command: 'insert',
  path,
  insert_line,
  insert_text,
});
const remove = (path: string): MemoryCommand => ({ command: 'delete', path });
const rename = (old_path: string, new_path: string): MemoryCommand => ({
  command: 'rename',
  old_path,
  new_path,
});

const FILE = '/memories/notes.txt';

/** Returns a memory that has these files. */
async function memoryWith(files: Readonly<Record<string, string>>) {
  const memory = newMemory();
  for (const [path, text] of Object.entries(files)) await memory.tool.run(create(path, text));
  return memory;
}

/** Asserts that the model is told exactly this text as an error. */
async function fails(tool: MaceMemoryTool, command: MemoryCommand, text: string): Promise<void> {
  const error: unknown = await tool.run(command).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(MemoryToolError);
  expect((error as MemoryToolError).message).toBe(text);
}

describe('view', () => {
  it('shows a file with line numbers that are six characters wide', async () => {
    const { tool } = await memoryWith({ [FILE]: 'Hello World\nThis is line two' });
    expect(await tool.run(view(FILE))).toBe(
      `Here's the content of ${FILE} with line numbers:\n     1\tHello World\n     2\tThis is line two`,
    );
  });

  it('shows the lines of a range, to the end for -1', async () => {
    const { tool } = await memoryWith({ [FILE]: 'a\nb\nc\nd' });
    const header = `Here's the content of ${FILE} with line numbers:\n`;
    expect(await tool.run(view(FILE, [2, 3]))).toBe(`${header}     2\tb\n     3\tc`);
    expect(await tool.run(view(FILE, [4, -1]))).toBe(`${header}     4\td`);
    expect(await tool.run(view(FILE, [3, 99]))).toBe(`${header}     3\tc\n     4\td`);
  });

  it('lists a directory two levels deep with sizes, without hidden items and node_modules', async () => {
    const { tool } = await memoryWith({
      '/memories/b.txt': 'x'.repeat(1_536),
      '/memories/a/one.txt': 'ü',
      '/memories/a/deep/two.txt': 'x'.repeat(512),
      '/memories/a/deep/er/three.txt': 'x'.repeat(512),
      '/memories/.hidden': 'x',
      '/memories/.git/config': 'x',
      '/memories/node_modules/m.js': 'x',
    });
    expect(await tool.run(view('/memories'))).toBe(
      [
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:",
        '2.5K\t/memories',
        '1.0K\t/memories/a/',
        '1.0K\t/memories/a/deep/',
        '2B\t/memories/a/one.txt',
        '1.5K\t/memories/b.txt',
      ].join('\n'),
    );
    expect(await tool.run(view('/memories/a/deep'))).toBe(
      [
        "Here're the files and directories up to 2 levels deep in /memories/a/deep, excluding hidden items and node_modules:",
        '1.0K\t/memories/a/deep',
        '512B\t/memories/a/deep/er/',
        '512B\t/memories/a/deep/er/three.txt',
        '512B\t/memories/a/deep/two.txt',
      ].join('\n'),
    );
    expect(await tool.run(view('/memories/a/'))).toContain('2 levels deep in /memories/a, ');
  });

  it('lists an empty memory, and knows no other path', async () => {
    const { tool } = newMemory();
    expect(await tool.run(view('/memories'))).toMatch(/\n0B\t\/memories$/);
    await fails(
      tool,
      view('/memories/none'),
      'The path /memories/none does not exist. Please provide a valid path.',
    );
  });

  it('does not take a directory for another one whose name begins in the same way', async () => {
    const { tool } = await memoryWith({ '/memories/acme-corp/a.txt': 'x' });
    await fails(
      tool,
      view('/memories/acme'),
      'The path /memories/acme does not exist. Please provide a valid path.',
    );
  });
});

describe('create', () => {
  it('writes a file, in directories that need not exist', async () => {
    const { tool, mace } = newMemory();
    const path = '/memories/deep/nested/file.txt';
    expect(await tool.run(create(path, 'Nested'))).toBe(`File created successfully at: ${path}`);
    expect(tool.noteOf(path)).toStrictEqual({
      namespace: ['memories', 'deep', 'nested'],
      key: 'file.txt',
    });
    const note = await mace.notes.get(['memories', 'deep', 'nested'], 'file.txt');
    expect(note?.value).toBe('Nested');
  });

  it('overwrites neither a file nor a directory, and makes no directory of a file', async () => {
    const { tool } = await memoryWith({ [FILE]: 'First', '/memories/dir/a.txt': 'a' });
    await fails(tool, create(FILE, 'Second'), `Error: File ${FILE} already exists`);
    await fails(tool, create('/memories/dir', 'x'), 'Error: File /memories/dir already exists');
    await fails(tool, create(`${FILE}/below`, 'x'), `Error: File ${FILE} already exists`);
    await fails(tool, create('/memories', 'x'), 'Error: File /memories already exists');
    expect(await tool.run(view(FILE))).toContain('First');
  });

  it('creates a file once if two agents create it at the same time', async () => {
    const { tool } = newMemory();
    const tries = await Promise.allSettled(
      ['one', 'two', 'three'].map((text) => tool.run(create(FILE, text))),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('refuses a file of more than 64 KB and a name that is too long', async () => {
    const { tool } = newMemory();
    await expect(tool.run(create(FILE, 'x'.repeat(65_536)))).rejects.toThrow(
      /^Error: The file was not written: /,
    );
    const long = `/memories/${'n'.repeat(300)}`;
    await expect(tool.run(create(long, 'x'))).rejects.toThrow(MemoryToolError);
  });
});

describe('str_replace', () => {
  it('replaces a text and shows the lines around it', async () => {
    const { tool } = await memoryWith({ [FILE]: 'a\nb\nFavorite color: blue\nd\ne\nf' });
    expect(await tool.run(replace(FILE, 'blue', 'green'))).toBe(
      'The memory file has been edited. Here is the snippet showing the change (with line numbers):\n' +
        '     1\ta\n     2\tb\n     3\tFavorite color: green\n     4\td\n     5\te',
    );
  });

  it('replaces several lines, and takes special characters as they are', async () => {
    const { tool } = await memoryWith({ [FILE]: 'a\n$1 b\nc' });
    await tool.run(replace(FILE, '$1 b\nc', "$& $' x"));
    expect(await tool.run(view(FILE))).toMatch(/ {5}1\ta\n {5}2\t\$& \$' x$/);
  });

  it('changes nothing unless the text occurs exactly once', async () => {
    const { tool } = await memoryWith({ [FILE]: 'Hello\nMiddle\nHello, Hello' });
    await fails(
      tool,
      replace(FILE, 'Bye', 'x'),
      `No replacement was performed, old_str \`Bye\` did not appear verbatim in ${FILE}.`,
    );
    await fails(
      tool,
      replace(FILE, 'Hello', 'Hi'),
      'No replacement was performed. Multiple occurrences of old_str `Hello` in lines: 1, 3. Please ensure it is unique',
    );
    await fails(
      tool,
      replace(FILE, '', 'x'),
      `No replacement was performed, old_str \`\` did not appear verbatim in ${FILE}.`,
    );
  });

  it('needs a file', async () => {
    const { tool } = await memoryWith({ '/memories/dir/a.txt': 'a' });
    for (const path of ['/memories/none', '/memories/dir', '/memories'])
      await fails(
        tool,
        replace(path, 'a', 'b'),
        `Error: The path ${path} does not exist. Please provide a valid path.`,
      );
  });

  it('loses no edit of two that are made at the same time', async () => {
    const { tool } = await memoryWith({ [FILE]: 'one\ntwo\nthree' });
    await Promise.all([
      tool.run(replace(FILE, 'one', 'ONE')),
      tool.run(replace(FILE, 'two', 'TWO')),
      tool.run(replace(FILE, 'three', 'THREE')),
    ]);
    expect(await tool.run(view(FILE))).toMatch(/ONE\n.*TWO\n.*THREE$/);
  });
});

describe('insert', () => {
  it('inserts lines at the beginning, between lines and at the end', async () => {
    const { tool } = await memoryWith({ [FILE]: 'b\nd' });
    expect(await tool.run(insert(FILE, 0, 'a\n'))).toBe(`The file ${FILE} has been edited.`);
    await tool.run(insert(FILE, 2, 'c'));
    await tool.run(insert(FILE, 4, 'e\nf'));
    expect(await tool.run(view(FILE))).toMatch(/\ta\n.*\tb\n.*\tc\n.*\td\n.*\te\n.*\tf$/);
  });

  it('needs a line of a file', async () => {
    const { tool } = await memoryWith({ [FILE]: 'a\nb', '/memories/dir/a.txt': 'a' });
    for (const line of [-1, 3, 1.5])
      await fails(
        tool,
        insert(FILE, line, 'x'),
        `Error: Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, 2]`,
      );
    for (const path of ['/memories/none', '/memories/dir'])
      await fails(tool, insert(path, 0, 'x'), `Error: The path ${path} does not exist`);
  });
});

describe('delete', () => {
  it('deletes a file; its history stays', async () => {
    const { tool, mace } = await memoryWith({ [FILE]: 'a' });
    expect(await tool.run(remove(FILE))).toBe(`Successfully deleted ${FILE}`);
    await fails(tool, remove(FILE), `Error: The path ${FILE} does not exist`);
    const history = await mace.notes.history(tool.noteOf(FILE));
    expect(history?.versions.map(({ type }) => type)).toStrictEqual(['note_put', 'note_deleted']);
    await tool.run(create(FILE, 'again'));
  });

  it('deletes a directory with everything in it, and nothing beside it', async () => {
    const { tool } = await memoryWith({
      '/memories/dir/a.txt': 'a',
      '/memories/dir/sub/b.txt': 'b',
      '/memories/dir/.hidden': 'h',
      '/memories/directory.txt': 'c',
    });
    expect(await tool.run(remove('/memories/dir/'))).toBe('Successfully deleted /memories/dir/');
    expect(await tool.run(view('/memories'))).toMatch(
      /\n1B\t\/memories\n1B\t\/memories\/directory\.txt$/,
    );
    await fails(tool, remove('/memories/dir'), 'Error: The path /memories/dir does not exist');
    await fails(tool, remove('/memories'), 'Error: Cannot delete the /memories directory itself');
  });
});

it('names what is left of a directory whose deletion fails half-way', async () => {
  const owner = `agent-${randomUUID()}`;
  const paths = ['a', 'b', 'c', 'd'].map((name) => `/memories/dir/${name}`);
  const { tool } = newMemory(newClient(owner));
  for (const path of paths) await tool.run(create(path, 'x'));
  let deletions = 0;
  const fetch: typeof globalThis.fetch = (input, init) => {
    if (init?.method === 'DELETE' && ++deletions > 2) throw new TypeError('no connection');
    return globalThis.fetch(input, init);
  };
  const broken = newMemory(newClient(owner, { fetch, retries: 0 }));
  await fails(
    broken.tool,
    remove('/memories/dir'),
    'Error: The directory /memories/dir was deleted in part. What is left: /memories/dir/c, /memories/dir/d',
  );
  expect(await tool.run(view('/memories/dir'))).toMatch(/dir\n1B\t.*\/c\n1B\t.*\/d$/);
  await tool.run(remove('/memories/dir'));
});

describe('rename', () => {
  it('moves a file, also to a directory that does not exist', async () => {
    const { tool } = await memoryWith({ [FILE]: 'text' });
    const to = '/memories/archive/2026/final.txt';
    expect(await tool.run(rename(FILE, to))).toBe(`Successfully renamed ${FILE} to ${to}`);
    expect(await tool.run(view(to))).toContain('text');
    await fails(tool, rename(FILE, to), `Error: The path ${FILE} does not exist`);
  });

  it('moves a directory with everything in it', async () => {
    const { tool } = await memoryWith({
      '/memories/draft/a.txt': 'a',
      '/memories/draft/sub/b.txt': 'b',
      '/memories/drafts.txt': 'c',
    });
    await tool.run(rename('/memories/draft', '/memories/final/text'));
    const listing = await tool.run(view('/memories/final'));
    expect(listing).toContain('/memories/final/text/a.txt');
    expect(await tool.run(view('/memories/final/text/sub/b.txt'))).toMatch(/\tb$/);
    await fails(
      tool,
      view('/memories/draft'),
      'The path /memories/draft does not exist. Please provide a valid path.',
    );
    expect(await tool.run(view('/memories/drafts.txt'))).toMatch(/\tc$/);
  });

  it('overwrites nothing, and moves no directory into itself', async () => {
    const { tool } = await memoryWith({
      [FILE]: 'a',
      '/memories/b.txt': 'b',
      '/memories/d/c.txt': 'c',
    });
    for (const to of ['/memories/b.txt', '/memories/d', FILE, '/memories'])
      await fails(tool, rename(FILE, to), `Error: The destination ${to} already exists`);
    await fails(
      tool,
      rename('/memories/d', '/memories/d/e'),
      'Error: The destination /memories/d/e is inside /memories/d',
    );
    await fails(
      tool,
      rename('/memories', '/memories/all'),
      'Error: Cannot rename the /memories directory itself',
    );
    expect(await tool.run(view(FILE))).toMatch(/\ta$/);
  });

  it('moves what an edit at the same time has made of the file', async () => {
    const { tool } = await memoryWith({ [FILE]: 'old' });
    const to = '/memories/moved.txt';
    const [, edited] = await Promise.allSettled([
      tool.run(rename(FILE, to)),
      tool.run(replace(FILE, 'old', 'new')),
    ]);
    const text = edited.status === 'fulfilled' ? 'new' : 'old';
    expect(await tool.run(view(to))).toMatch(new RegExp(`\\t${text}$`));
  });
});

describe('A path', () => {
  it.each(['/etc/passwd', 'memories/a.txt', '/memories-other/a.txt', '/MEMORIES/a.txt', ''])(
    'outside /memories is refused: %j',
    async (path) => {
      const { tool } = newMemory();
      await fails(tool, view(path), `Error: Path must start with /memories, got: ${path}`);
    },
  );

  it.each([
    '/memories/../etc/passwd',
    '/memories/a/../../b',
    '/memories/./a',
    '/memories/..',
    '/memories/%2e%2e/secret',
    '/memories/%2E%2e%2fsecret',
    '/memories/%252e%252e/secret',
    '/memories/..\\secret',
    '/memories/a%5c..',
    '/memories/a\u0000b',
  ])('that could lead out of /memories is refused by every command: %j', async (path) => {
    const { tool, mace } = newMemory();
    const commands = [
      view(path),
      create(path, 'x'),
      replace(path, 'a', 'b'),
      insert(path, 0, 'x'),
      remove(path),
      rename(path, '/memories/b'),
    ];
    for (const command of commands)
      await fails(tool, command, `Error: Path ${path} would escape /memories directory`);
    await tool.run(create('/memories/source', 'x'));
    await fails(
      tool,
      rename('/memories/source', path),
      `Error: Path ${path} would escape /memories directory`,
    );
    expect((await mace.notes.list()).notes).toHaveLength(1);
  });

  it('may contain dots, spaces, percent signs and any script', async () => {
    const { tool } = newMemory();
    for (const name of ['a..b', '...', '100%', 'ein Satz.md', '読む.txt'])
      await tool.run(create(`/memories/${name}`, name));
    expect(await tool.run(view('/memories/読む.txt'))).toContain('読む.txt');
  });
});

describe('A memory', () => {
  it('belongs to the owner of the token, and to no other', async () => {
    const { tool } = await memoryWith({ [FILE]: 'mine' });
    expect(await tool.run(view(FILE))).toContain('mine');
    await fails(
      newMemory().tool,
      view(FILE),
      `The path ${FILE} does not exist. Please provide a valid path.`,
    );
  });

  it('has a namespace, so that one owner can have several', async () => {
    const mace = newClient();
    const [one, two] = [['one'], ['two']].map(
      (namespace) => new MaceMemoryTool(mace, { namespace }),
    );
    await one?.run(create(FILE, 'first'));
    await two?.run(create(FILE, 'second'));
    expect(await one?.run(view(FILE))).toContain('first');
  });

  it('returns personal data to its owner as it was, and stores it sealed', async () => {
    const { tool, mace } = newMemory();
    const path = '/memories/people/ines.varga@fastmail.test';
    await tool.run(create(path, 'Write to ines.varga@fastmail.test'));
    expect(await tool.run(view(path))).toContain('Write to ines.varga@fastmail.test');
    expect(await tool.run(view('/memories'))).toContain(path);
    const bundle: string[] = [];
    for await (const line of mace.notes.bundle(tool.noteOf(path))) bundle.push(line);
    expect(bundle.join()).not.toContain('ines.varga');
  });
});
