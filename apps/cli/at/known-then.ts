import type { MaceClient } from '#client/mace-client.js';
import type { JobKnew } from '#client/jobs.js';
import type { Schemas } from '#client/schemas.js';
import { coloursFor } from '../terminal/colour.js';
import { counted } from '../terminal/output.js';
import { shortened, shownText } from '../terminal/shown-text.js';

/** Chooses what is shown of the past: a job, a person, or the facts under a prefix. */
export interface Subject {
  readonly job?: string;
  readonly user?: string;
  readonly prefix?: string;
}

type Fact = Schemas['FactDto'];

const MOST_CHARACTERS = 100;
const MOST_ENTRIES = 50;

/** Returns what was known at a moment, as lines for a terminal. */
export async function knownThen(mace: MaceClient, at: string, subject: Subject): Promise<string[]> {
  const { job, user, prefix } = subject;
  const parts: string[][] = [];
  if (job !== undefined) parts.push(linesOfJob(await mace.job(job).knew({ at })));
  if (user !== undefined || prefix !== undefined)
    parts.push(await linesOfFacts(mace, at, prefix ?? 'user/', user));
  if (user !== undefined)
    parts.push(await linesOfMemories(mace, at, user), await linesOfSessions(mace, at, user));
  return parts.flat();
}

function linesOfJob({ job, read, next_cursor, recorded_at }: JobKnew): string[] {
  const { bold } = coloursFor(process.stdout);
  const goal = job.cwm.topic === '' ? '' : `: ${shortened(job.cwm.topic, MOST_CHARACTERS)}`;
  const entries = [...job.wm, ...job.cwm.items].map(
    ({ type, value }) => `  ${type}  ${words(value)}`,
  );
  const facts = read.filter(({ fact }) => fact !== null);
  return [
    `${bold(`Job ${shownText(job.job_seed)}`)}, ${job.status} at tick ${job.tick}, event ${job.version} of ${recorded_at}${goal}`,
    `In its memory: ${counted(entries.length, 'entry', 'entries')}`,
    ...fewOf(entries),
    `It had read: ${counted(facts.length, 'fact')}${next_cursor === null ? '' : ' or more'}`,
    ...fewOf(
      facts.map(({ id, times, last, fact }) =>
        lineOfFact(id, fact!, `read at tick ${last.tick}${times > 1 ? `, ${times} times` : ''}`),
      ),
    ),
  ];
}

async function linesOfFacts(
  mace: MaceClient,
  at: string,
  prefix: string,
  user_id: string | undefined,
): Promise<string[]> {
  const page = await mace.sem.search(prefix, undefined, {
    ...{ at, limit: MOST_ENTRIES + 1 },
    ...(user_id && { user_id }),
  });
  const lines: string[] = [];
  for (const listed of page.facts.slice(0, MOST_ENTRIES)) {
    const fact = await mace.sem.get(listed.key, { at });
    if (fact.exists) lines.push(lineOfFact(listed.key, fact));
  }
  const more = page.facts.length > MOST_ENTRIES || page.next_cursor !== null;
  return [
    `Facts: ${more ? 'the first ' : ''}${counted(lines.length, 'fact')}`,
    ...lines,
    ...(more ? ['  … (a longer --prefix shows others; --out writes all of them)'] : []),
  ];
}

async function linesOfMemories(mace: MaceClient, at: string, user_id: string): Promise<string[]> {
  const { memories } = await mace.memories.list({ at, user_id });
  return [
    `Memories: ${counted(memories.length, 'memory', 'memories')}`,
    ...fewOf(
      memories.map(
        ({ text, updated_at }) => `  ${shortened(text, MOST_CHARACTERS)}  ${updated_at}`,
      ),
    ),
  ];
}

async function linesOfSessions(mace: MaceClient, at: string, user_id: string): Promise<string[]> {
  const page = await mace.memory.sessions({ at, user_id, limit: MOST_ENTRIES });
  const lines = page.sessions.map(
    ({ owner, assistant, began_at }) =>
      `  ${shownText(owner)}  with ${shownText(assistant)} since ${began_at}`,
  );
  const more = page.next_cursor !== null;
  return [
    `Sessions: ${more ? 'the newest ' : ''}${counted(lines.length, 'session')}`,
    ...lines,
    ...(more ? ['  … and older ones'] : []),
  ];
}

const lineOfFact = (key: string, fact: Fact, ...more: readonly string[]): string =>
  `  ${shownText(key)} = ${words(fact.value)}  (${[`version ${fact.version} of ${fact.last_updated}`, ...more, ...approvalOf(fact)].join('; ')})`;

/** Says who approved a fact; nothing if nobody did. */
function approvalOf({ approved_by }: Fact): readonly string[] {
  if (approved_by === undefined) return [];
  const { voters, decided_at, request_id } = approved_by;
  const who =
    voters?.map(({ sub }) => shownText(sub)).join(', ') ?? counted(approved_by.approvals, 'vote');
  return [`approved by ${who} at ${decided_at}, request ${request_id}`];
}

const words = (value: unknown): string =>
  shortened(typeof value === 'string' ? value : JSON.stringify(value), MOST_CHARACTERS);

const fewOf = (lines: readonly string[]): readonly string[] =>
  lines.length <= MOST_ENTRIES
    ? lines
    : [
        ...lines.slice(0, MOST_ENTRIES),
        `  … and ${(lines.length - MOST_ENTRIES).toLocaleString('en')} more`,
      ];
