import type { MaceClient } from '@mace-memory/client';
import { listingOf } from './listing.js';
import { MemoryToolError } from './memory-error.js';
import { type MemoryFile, MemoryFiles } from './memory-files.js';
import { componentsOf, pathOf } from './memory-path.js';
import { lineAt, numbered, placesOf, snippetOf } from './text.js';

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
  readonly new_str: string;
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

const destinationExists = (path: string): MemoryToolError =>
  new MemoryToolError(`Error: The destination ${path} already exists`);

/**
 * The handlers of Anthropic's memory tool (`memory_20250818`) on notes of MACE Memory: a file is a note. Each command
 * resolves with the text for the model, or fails with a `MemoryToolError`, whose message is that text.
 */
export class MaceMemoryTool {
  readonly #files: MemoryFiles;

  /** @param mace a client of the service; its token decides whose notes these are */
  constructor(mace: MaceClient, { namespace = ['memories'] }: MaceMemoryToolOptions = {}) {
    this.#files = new MemoryFiles(mace, namespace);
  }

  /** Carries out a command. */
  run(command: MemoryCommand): Promise<string> {
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
    }
  }

  /** Returns the namespace and the key of the note that holds a file. */
  noteOf(path: string): { readonly namespace: string[]; readonly key: string } {
    return this.#files.nameOf(componentsOf(path));
  }

  /** Shows a file with line numbers, or a directory two levels deep. */
  async view({ path, view_range }: ViewCommand): Promise<string> {
    const components = componentsOf(path);
    const file = await this.#file(components);
    if (file !== undefined) {
      const lines = file.text.split('\n');
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
  async create({ path, file_text }: CreateCommand): Promise<string> {
    const components = componentsOf(path);
    await this.#requireFree(components, alreadyExists);
    const version = await this.#files.create(components, file_text);
    if (version === undefined) throw alreadyExists(path);
    return `File created successfully at: ${path}`;
  }

  /** Replaces a text that occurs once in a file. */
  str_replace({ path, old_str, new_str }: StrReplaceCommand): Promise<string> {
    return this.#edit(path, missingToEdit, (text) => {
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
        answer: `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`,
      };
    });
  }

  /** Inserts lines after the line `insert_line`; 0 inserts them at the beginning. */
  insert({ path, insert_line, insert_text }: InsertCommand): Promise<string> {
    return this.#edit(path, missing, (text) => {
      const lines = text.split('\n');
      if (!Number.isInteger(insert_line) || insert_line < 0 || insert_line > lines.length)
        throw new MemoryToolError(
          `Error: Invalid \`insert_line\` parameter: ${insert_line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
        );
      lines.splice(insert_line, 0, insert_text.replace(/\n$/, ''));
      return { text: lines.join('\n'), answer: `The file ${path} has been edited.` };
    });
  }

  /** Deletes a file, or a directory with everything in it, file by file. */
  async delete({ path }: DeleteCommand): Promise<string> {
    const components = componentsOf(path);
    requireBelowRoot(components, 'delete');
    const file = await this.#file(components);
    const files = file === undefined ? await this.#files.below(components) : [file];
    if (files.length === 0) throw missing(path);
    for (const one of files) await this.#remove(one);
    return `Successfully deleted ${path}`;
  }

  /**
   * Moves a file or a directory. Each file is first written at its new path and then deleted at the old one, so a
   * failure on the way leaves a file at both paths, and never at none.
   */
  async rename({ old_path, new_path }: RenameCommand): Promise<string> {
    const [from, to] = [componentsOf(old_path), componentsOf(new_path)];
    requireBelowRoot(from, 'rename');
    const file = await this.#file(from);
    const files = file === undefined ? await this.#files.below(from) : [file];
    if (files.length === 0) throw missing(old_path);
    await this.#requireFree(to, () => destinationExists(new_path));
    if (to.length > from.length && from.every((name, place) => name === to[place]))
      throw new MemoryToolError(`Error: The destination ${new_path} is inside ${old_path}`);
    for (const one of files) await this.#move(one, [...to, ...one.path.slice(from.length)]);
    return `Successfully renamed ${old_path} to ${new_path}`;
  }

  async #file(components: readonly string[]): Promise<MemoryFile | undefined> {
    return components.length === 0 ? undefined : this.#files.read(components);
  }

  /** @throws MemoryToolError if there is a file or a directory at the path, or a file at one of its directories */
  async #requireFree(
    components: readonly string[],
    taken: (path: string) => MemoryToolError,
  ): Promise<void> {
    for (let length = 1; length <= components.length; length += 1) {
      const path = components.slice(0, length);
      if ((await this.#files.read(path)) !== undefined) throw taken(pathOf(path));
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
      const { text, answer } = edit(file.text);
      if ((await this.#files.write(components, text, file.version)) !== undefined) return answer;
    }
  }

  async #remove(file: MemoryFile): Promise<void> {
    for (let current: MemoryFile | undefined = file; current !== undefined;) {
      if (await this.#files.remove(current)) return;
      current = await this.#files.read(file.path);
    }
  }

  /** Moves one file. If it changes meanwhile, what it has become is moved. */
  async #move(file: MemoryFile, to: readonly string[]): Promise<void> {
    let current = file;
    let written = await this.#files.create(to, current.text);
    for (;;) {
      if (written === undefined) throw destinationExists(pathOf(to));
      if (await this.#files.remove(current)) return;
      current = (await this.#files.read(file.path)) ?? current;
      written = await this.#files.write(to, current.text, written);
    }
  }
}

function requireBelowRoot(components: readonly string[], what: string): void {
  if (components.length === 0)
    throw new MemoryToolError(`Error: Cannot ${what} the /memories directory itself`);
}
