import { carriableText, type MaceClient, requireArguments, ERASED } from '@mace-memory/client';
import { MemoryToolError } from './memory-error.js';
import { type MemoryFile, MemoryFiles } from './memory-files.js';
import { componentsOf, pathOf, shownComponent } from './memory-path.js';
import { lineAt, numbered, placesOf, snippetOf, withLineEndsOf, bytesOf, sizeOf } from './text.js';

const DEPTH = 2;

const isShown = (name: string): boolean => !name.startsWith('.') && name !== 'node_modules';

/** A directory with what is in it, by name. */
interface Directory {
  size: number;
  /** A file is its size, or undefined if it was erased. */
  readonly entries: Map<string, Directory | number | undefined>;
}

const newDirectory = (): Directory => ({ size: 0, entries: new Map() });

function treeOf(files: readonly MemoryFile[], directory: readonly string[]): Directory {
  const root = newDirectory();
  for (const { path, text } of files) {
    const below = path.slice(directory.length).map(shownComponent);
    if (!below.every(isShown)) continue;
    const size = text === undefined ? undefined : bytesOf(text);
    let parent = root;
    parent.size += size ?? 0;
    for (const name of below.slice(0, -1)) {
      const known = parent.entries.get(name);
      const child = typeof known === 'object' ? known : newDirectory();
      child.size += size ?? 0;
      parent.entries.set(name, child);
      parent = child;
    }
    parent.entries.set(below.at(-1) ?? '', size);
  }
  return root;
}

function* linesOf({ entries }: Directory, path: string, depth: number): Generator<string> {
  for (const [name, entry] of [...entries].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const at = `${path}/${name}`;
    if (typeof entry !== 'object') yield `${entry === undefined ? ERASED : sizeOf(entry)}\t${at}`;
    else {
      yield `${sizeOf(entry.size)}\t${at}/`;
      if (depth < DEPTH) yield* linesOf(entry, at, depth + 1);
    }
  }
}

/** Returns the listing of a directory, two levels deep. */
function listingOf(path: string, directory: readonly string[], files: readonly MemoryFile[]) {
  const tree = treeOf(files, directory);
  return [
    `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`,
    `${sizeOf(tree.size)}\t${path}`,
    ...linesOf(tree, path, 1),
  ].join('\n');
}

/** The six commands of the memory tool, as the model sends them. */
export type MemoryCommand =
  ViewCommand | CreateCommand | StrReplaceCommand | InsertCommand | DeleteCommand | RenameCommand;

export interface ViewCommand {
  readonly command: 'view';
  readonly path: string;
  /** The first and the last line to show, from 1; -1 for the end. */
  readonly view_range?: readonly number[] | undefined;
}

export interface CreateCommand {
  readonly command: 'create';
  readonly path: string;
  readonly file_text: string;
}

export interface StrReplaceCommand {
  readonly command: 'str_replace';
  readonly path: string;
  readonly old_str: string;
  /** Without it, `old_str` is deleted. */
  readonly new_str?: string | undefined;
}

export interface InsertCommand {
  readonly command: 'insert';
  readonly path: string;
  readonly insert_line: number;
  readonly insert_text: string;
}

export interface DeleteCommand {
  readonly command: 'delete';
  readonly path: string;
}

export interface RenameCommand {
  readonly command: 'rename';
  readonly old_path: string;
  readonly new_path: string;
}

/** Options of a memory. */
export interface MaceMemoryToolOptions {
  /** The namespace of the notes below `/memories`. The default is `["memories"]`. */
  readonly namespace?: readonly string[];
}

/** An edit of a text: the new text and the answer to the model. */
interface Edit {
  readonly text: string;
  readonly answer: string;
}

const missing = (path: string): MemoryToolError =>
  new MemoryToolError(`Error: The path ${path} does not exist`);

const missingToEdit = (path: string): MemoryToolError =>
  new MemoryToolError(`Error: The path ${path} does not exist. Please provide a valid path.`);

const alreadyExists = (path: string): MemoryToolError =>
  new MemoryToolError(`Error: File ${path} already exists`);

/** The most files that a message names. */
const MAX_NAMED = 20;

function deletedInPart(path: string, left: readonly MemoryFile[], cause: unknown): MemoryToolError {
  const named = left.slice(0, MAX_NAMED).map((file) => pathOf(file.path.map(shownComponent)));
  const more = left.length > MAX_NAMED ? ` and ${left.length - MAX_NAMED} more` : '';
  return new MemoryToolError(
    `Error: The directory ${path} was deleted in part. What is left: ${named.join(', ')}${more}`,
    { cause },
  );
}

const destinationExists = (path: string): MemoryToolError =>
  new MemoryToolError(`Error: The destination ${path} already exists`);

/**
 * The handlers of Anthropic's memory tool (`memory_20250818`) on notes of MACE Memory: a file is a note. Each command
 * resolves with the text for the model, or fails with a `MemoryToolError`, whose message is that text.
 */
export class MaceMemoryTool {
  readonly #files: MemoryFiles;

  /** @param mace a client of the service; its token decides whose notes these are */
  constructor(mace: MaceClient, options: MaceMemoryToolOptions = {}) {
    requireArguments({ mace, options }, { mace: 'object', options: 'object' });
    requireArguments(options, { namespace: 'names?' }, 'options');
    const { namespace = ['memories'] } = options;
    this.#files = new MemoryFiles(mace, namespace);
  }

  async run(command: MemoryCommand): Promise<string> {
    const given: unknown = command;
    if (typeof given !== 'object' || given === null)
      throw new MemoryToolError('Error: The command is not an object');
    switch (command.command) {
      case 'view':
        return this.view(command);
      case 'create':
        return this.create(command);
      case 'str_replace':
        return this.str_replace(command);
      case 'insert':
        return this.insert(command);
      case 'delete':
        return this.delete(command);
      case 'rename':
        return this.rename(command);
      default:
        throw new MemoryToolError(
          `Error: Unknown command ${String((given as { readonly command?: unknown }).command)}`,
        );
    }
  }

  /** Returns the namespace and the key of the note that holds a file. */
  noteOf(path: string): { readonly namespace: string[]; readonly key: string } {
    return this.#files.nameOf(componentsOf(withTexts({ path }, 'path').path));
  }

  /** Shows a file with line numbers, or a directory two levels deep. */
  async view(command: ViewCommand): Promise<string> {
    const { path } = withTexts(command, 'path');
    const view_range = rangeIn(command);
    const components = componentsOf(path);
    const file = await this.#file(components);
    if (file !== undefined) {
      const lines = textIn(file, path).split('\n');
      const [first = 1, last = -1] = view_range ?? [];
      const start = Math.max(1, first);
      const shown = lines.slice(start - 1, last === -1 ? lines.length : last);
      return `Here's the content of ${path} with line numbers:\n${numbered(shown, start)}`;
    }
    const files = await this.#files.below(components);
    if (files.length === 0 && components.length > 0)
      throw new MemoryToolError(`The path ${path} does not exist. Please provide a valid path.`);
    return listingOf(path.replace(/(?<!\/)\/+$/, ''), components, files);
  }

  /** Writes a new file. */
  async create(command: CreateCommand): Promise<string> {
    const { path, file_text } = withTexts(command, 'path', 'file_text');
    const components = componentsOf(path);
    await this.#requireFree(components, alreadyExists);
    const version = await this.#files.create(components, file_text);
    if (version === undefined) throw alreadyExists(path);
    return `File created successfully at: ${path}${replacedIn(file_text)}`;
  }

  /** Replaces a text that occurs once in a file. */
  async str_replace(command: StrReplaceCommand): Promise<string> {
    const given = withTexts(withNewText(command), ...REPLACE_TEXTS);
    const { path } = given;
    return this.#edit(path, missingToEdit, (text) => {
      const isVerbatim = text.includes(given.old_str);
      const old_str = isVerbatim ? given.old_str : withLineEndsOf(text, given.old_str);
      const new_str = withLineEndsOf(text, given.new_str);
      const places = placesOf(text, old_str);
      const [place] = places;
      if (place === undefined)
        throw new MemoryToolError(
          `No replacement was performed, old_str \`${old_str}\` did not appear verbatim in ${path}.`,
        );
      const line = lineAt(text, place);
      if (places.length > 1) {
        const lines = [...new Set(places.map((found) => lineAt(text, found)))].join(', ');
        throw new MemoryToolError(
          `No replacement was performed. Multiple occurrences of old_str \`${old_str}\` in lines: ${lines}. Please ensure it is unique`,
        );
      }
      const edited = text.slice(0, place) + new_str + text.slice(place + old_str.length);
      const snippet = snippetOf(edited, line, new_str.split('\n').length);
      return {
        text: edited,
        answer: `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}${replacedIn(new_str)}`,
      };
    });
  }

  /** Inserts lines after the line `insert_line`; 0 inserts them at the beginning. */
  async insert(command: InsertCommand): Promise<string> {
    const { path, insert_line, insert_text } = withTexts(command, 'path', 'insert_text');
    return this.#edit(path, missing, (text) => {
      const lines = text.split('\n');
      if (!Number.isInteger(insert_line) || insert_line < 0 || insert_line > lines.length)
        throw new MemoryToolError(
          `Error: Invalid \`insert_line\` parameter: ${String(insert_line)}. It should be within the range of lines of the file: [0, ${lines.length}]`,
        );
      const isCrlf = text.includes('\r\n');
      const inserted = withLineEndsOf(text, insert_text).replace(/\r?\n$/, '');
      // The line before an insertion ends as the others do, and so does the inserted one.
      if (isCrlf && insert_line === lines.length) lines[insert_line - 1] += '\r';
      lines.splice(
        insert_line,
        0,
        isCrlf && insert_line < lines.length ? `${inserted}\r` : inserted,
      );
      const answer = `The file ${path} has been edited.${replacedIn(insert_text)}`;
      return { text: lines.join('\n'), answer };
    });
  }

  /** Deletes a file, or a directory with everything in it, file by file. A failure half-way names what is left. */
  async delete(command: DeleteCommand): Promise<string> {
    const { path } = withTexts(command, 'path');
    const components = componentsOf(path);
    requireBelowRoot(components, 'delete');
    const file = await this.#file(components);
    const files = file === undefined ? await this.#files.below(components) : [file];
    if (files.length === 0) throw missing(path);
    for (const [place, one] of files.entries())
      await this.#remove(one).catch((cause: unknown) => {
        throw place === 0 ? cause : deletedInPart(path, files.slice(place), cause);
      });
    return `Successfully deleted ${path}`;
  }

  /**
   * Moves a file or a directory. All files are written at their new paths before one is deleted at its old path. If one
   * cannot be written, nothing has changed; a failure after that leaves a file at both paths, and never at none.
   */
  async rename(command: RenameCommand): Promise<string> {
    const { old_path, new_path } = withTexts(command, 'old_path', 'new_path');
    const [from, to] = [componentsOf(old_path), componentsOf(new_path)];
    requireBelowRoot(from, 'rename');
    const file = await this.#file(from);
    const files = file === undefined ? await this.#files.below(from) : [file];
    if (files.length === 0) throw missing(old_path);
    await this.#requireFree(to, () => destinationExists(new_path));
    if (to.length > from.length && from.every((name, place) => name === to[place]))
      throw new MemoryToolError(`Error: The destination ${new_path} is inside ${old_path}`);
    const start = files.length === 1 && file !== undefined ? file.path.length : from.length;
    for (const one of files) textIn(one, pathOf(one.path));
    await this.#move(files.map((one) => ({ file: one, to: [...to, ...one.path.slice(start)] })));
    return `Successfully renamed ${old_path} to ${new_path}`;
  }

  async #file(components: readonly string[]): Promise<MemoryFile | undefined> {
    return components.length === 0 ? undefined : this.#files.find(components);
  }

  /** @throws MemoryToolError if there is a file or a directory at the path, or a file at one of its directories */
  async #requireFree(
    components: readonly string[],
    taken: (path: string) => MemoryToolError,
  ): Promise<void> {
    for (let length = 1; length <= components.length; length += 1) {
      const path = components.slice(0, length);
      const file = await this.#files.read(path);
      // An erased file can be written anew.
      if (file?.text !== undefined) throw taken(pathOf(path));
    }
    if (await this.#files.isDirectory(components)) throw taken(pathOf(components));
  }

  /** Edits a file. If it has changed meanwhile, the edit is made anew on what it has become. */
  async #edit(
    path: string,
    absent: (path: string) => MemoryToolError,
    edit: (text: string) => Edit,
  ): Promise<string> {
    const components = componentsOf(path);
    for (;;) {
      const file = await this.#file(components);
      if (file === undefined) throw absent(path);
      const { text, answer } = edit(textIn(file, path));
      if ((await this.#files.write(file.path, text, file.version)) !== undefined) return answer;
    }
  }

  async #remove(file: MemoryFile): Promise<void> {
    for (let current: MemoryFile | undefined = file; current !== undefined;) {
      if (await this.#files.remove(current)) return;
      current = await this.#files.read(file.path);
    }
  }

  /** Moves files. If one changes meanwhile, what it has become is moved. */
  async #move(moves: readonly { readonly file: MemoryFile; readonly to: readonly string[] }[]) {
    const written: number[] = [];
    try {
      for (const { file, to } of moves) {
        const version = await this.#files.create(to, file.text ?? '');
        if (version === undefined) throw destinationExists(pathOf(to));
        written.push(version);
      }
    } catch (error) {
      for (const [place, version] of written.entries())
        await this.#files.remove({ path: moves[place]!.to, version }).catch(() => undefined);
      throw error;
    }
    for (const [place, move] of moves.entries()) await this.#finish(move, written[place]);
  }

  /** Deletes a file that was written at its new path. */
  async #finish(
    { file, to }: { readonly file: MemoryFile; readonly to: readonly string[] },
    version: number | undefined,
  ): Promise<void> {
    let current = file;
    let written = version;
    for (;;) {
      if (written === undefined) throw destinationExists(pathOf(to));
      if (await this.#files.remove(current)) return;
      current = (await this.#files.read(file.path)) ?? current;
      written = await this.#files.write(to, current.text ?? '', written);
    }
  }
}

/** Returns a command whose `new_str` is a text if it was missing. */
const withNewText = (command: StrReplaceCommand) => ({
  ...command,
  new_str: (command as StrReplaceCommand | null | undefined)?.new_str ?? '',
});

const REPLACE_TEXTS = ['path', 'old_str', 'new_str'] as const;

/** Returns the command if each of these parameters is a text. @throws MemoryToolError for any other */
function withTexts<Command extends object>(
  command: Command,
  ...names: readonly (keyof Command & string)[]
): Command {
  const given: unknown = command;
  for (const name of names)
    if (typeof given !== 'object' || typeof (given as Command | null)?.[name] !== 'string')
      throw new MemoryToolError(`Error: The \`${name}\` parameter is missing or is not a text`);
  return command;
}

/** Returns the range to view. @throws MemoryToolError if it is not two numbers of lines */
function rangeIn({ view_range }: ViewCommand): readonly number[] | undefined {
  const given: unknown = view_range ?? undefined;
  if (given === undefined) return undefined;
  const isRange =
    Array.isArray(given) && given.length === 2 && given.every((line) => Number.isInteger(line));
  const [first = 1, last = -1] = isRange ? (given as number[]) : [];
  if (!isRange || (last !== -1 && last < first))
    throw new MemoryToolError(
      'Error: Invalid `view_range` parameter. It should be the numbers of the first and of the last line, -1 for the end',
    );
  return [first, last];
}

/** Returns the text of a file. @throws MemoryToolError if it was erased */
function textIn({ text }: MemoryFile, path: string): string {
  if (text === undefined)
    throw new MemoryToolError(
      `Error: The file ${path} was erased: nobody can read it any more. It can be deleted, or created anew.`,
    );
  return text;
}

/** Returns a sentence on what was replaced in a text; empty if nothing was. */
function replacedIn(text: string): string {
  const { replaced } = carriableText(text);
  return replaced === 0
    ? ''
    : `\n${replaced} characters that cannot be stored (U+0000 or half of a pair) were replaced by U+FFFD.`;
}

function requireBelowRoot(components: readonly string[], what: string): void {
  if (components.length === 0)
    throw new MemoryToolError(`Error: Cannot ${what} the /memories directory itself`);
}
