import { uncarriable } from '#domain/determinism/canonical-json.js';
import { normalizeTimestamp, TIME_PROBLEMS, timeProblem } from '#domain/sem/timestamp.js';
import { UnusableFile } from '#files/regular-file.js';
import { couldNotCheck } from '../exit-code.js';
import { linesOf } from '#files/lines.js';

/** One utterance of a speaker in a conversation. */
export interface Turn {
  readonly id: string;
  readonly session: string;
  /** In the form YYYY-MM-DDTHH:mm:ss.sssZ. */
  readonly time: string;
  readonly speaker: string;
  readonly text: string;
}

export interface Question {
  readonly question: string;
  /** The ids of the turns that answer the question, each once; empty if it asks for what was never said. */
  readonly evidence: readonly string[];
  readonly category: string | null;
}

/** One line of the file: a conversation, and what is asked about it. */
export interface Conversation {
  readonly name: string;
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
}

const MAX_QUESTION = 16_000;
const SHOWN_PROBLEMS = 10;

/** Thrown for a line that is not a conversation. The message quotes nothing but ids. */
class BadLine extends Error {
  override readonly name = 'BadLine';
}

/**
 * Reads a file of conversations, one JSON object a line. Fails with the number of each bad line, and what is
 * wrong with it.
 */
export async function readConversations(path: string): Promise<Conversation[]> {
  const names = new Set<string>();
  const conversations: Conversation[] = [];
  const problems = new Problems();
  let number = 0;
  for await (const line of readableLines(path)) {
    number += 1;
    if (line.trim() === '') continue;
    try {
      const conversation = conversationOf(line);
      if (names.has(conversation.name))
        throw new BadLine('its conversation stands in an earlier line');
      names.add(conversation.name);
      conversations.push(conversation);
    } catch (error) {
      if (!(error instanceof BadLine)) throw error;
      problems.add(`line ${number}: ${error.message}`);
    }
  }
  if (problems.count > 0) throw couldNotCheck(`${path} cannot be used.\n${problems.text}`);
  if (conversations.length === 0) throw couldNotCheck(`${path} is empty.`);
  return conversations;
}

/** What is wrong with lines. Only the first problems are kept, because a file can have any number of lines. */
class Problems {
  count = 0;
  private readonly first: string[] = [];

  add(problem: string): void {
    this.count += 1;
    if (this.first.length < SHOWN_PROBLEMS) this.first.push(problem);
  }

  get text(): string {
    const hidden = this.count - this.first.length;
    return [...this.first, ...(hidden > 0 ? [`… and ${hidden} more`] : [])].join('\n');
  }
}

async function* readableLines(path: string): AsyncGenerator<string> {
  try {
    yield* linesOf(path);
  } catch (error) {
    if (error instanceof UnusableFile) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw couldNotCheck(`${path} cannot be read: ${code ?? message}`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function conversationOf(line: string): Conversation {
  const fields = fieldsOf(jsonOf(line), 'the line');
  const name = idOf(fields, 'conversation', '');
  const turns = listOf(fields, 'turns').map(turnOf);
  if (turns.length === 0) throw new BadLine('turns is empty');
  const ids = new Set<string>();
  for (const { id } of turns) {
    if (ids.has(id)) throw new BadLine(`two turns have the id ${JSON.stringify(id)}`);
    ids.add(id);
  }
  const questions = listOf(fields, 'questions').map((each, index) => questionOf(each, index, ids));
  return { name, turns, questions };
}

function turnOf(value: unknown, index: number): Turn {
  const at = `turns[${index}]`;
  const fields = fieldsOf(value, at);
  return {
    id: idOf(fields, 'id', at),
    session: idOf(fields, 'session', at),
    time: timeOf(fields, at),
    speaker: textOf(fields, 'speaker', at),
    text: textOf(fields, 'text', at),
  };
}

function questionOf(value: unknown, index: number, turns: ReadonlySet<string>): Question {
  const at = `questions[${index}]`;
  const fields = fieldsOf(value, at);
  const question = textOf(fields, 'question', at);
  if (question.trim() === '') throw new BadLine(`${at}.question is empty`);
  if (question.length > MAX_QUESTION)
    throw new BadLine(`${at}.question has more than ${MAX_QUESTION} characters`);
  const evidence = new Set(
    listOf(fields, 'evidence', at).map((id, place) =>
      idOf({ [place]: id }, String(place), `${at}.evidence`),
    ),
  );
  for (const id of evidence)
    if (!turns.has(id))
      throw new BadLine(`${at}.evidence: no turn has the id ${JSON.stringify(id)}`);
  const hasCategory = fields['category'] !== undefined && fields['category'] !== null;
  return {
    question,
    evidence: [...evidence],
    category: hasCategory ? idOf(fields, 'category', at) : null,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadLine('it is not JSON');
  }
}

function fieldsOf(value: unknown, at: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadLine(`${at} is not an object`);
  return value as Fields;
}

const placeOf = (name: string, at: string): string => (at === '' ? name : `${at}.${name}`);

function listOf(fields: Fields, name: string, at = ''): readonly unknown[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw new BadLine(`${placeOf(name, at)} is missing, or is not a list`);
  return value;
}

function textOf(fields: Fields, name: string, at: string): string {
  const value = fields[name];
  if (typeof value !== 'string')
    throw new BadLine(`${placeOf(name, at)} is missing, or is not text`);
  if (uncarriable(value) !== undefined)
    throw new BadLine(`${placeOf(name, at)} has a character that memory cannot hold`);
  return value;
}

/** Returns a name, which may be a number in the file. */
function idOf(fields: Fields, name: string, at: string): string {
  const value = fields[name];
  if (typeof value === 'number') return String(value);
  const id = textOf(fields, name, at);
  if (id === '') throw new BadLine(`${placeOf(name, at)} is empty`);
  return id;
}

function timeOf(fields: Fields, at: string): string {
  const time = textOf(fields, 'time', at);
  const problem = timeProblem(time);
  if (problem !== undefined) throw new BadLine(`${at}.time ${TIME_PROBLEMS[problem]}`);
  return normalizeTimestamp(time);
}
