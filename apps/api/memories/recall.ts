import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MAX_QUERY } from '#domain/memories/limits.js';
import { byteOrder } from '#domain/determinism/ids.js';
import { fitting, recalledLine } from '#domain/memories/recalled-text.js';
import type { Actor } from '#domain/recorded-event.js';
import { LATEST_RANKING } from '#domain/search/rankings.js';
import { CLEARED_FACTS, memoryScope, type Scope } from '#domain/search/scopes.js';
import { keyWordsOf } from '#domain/search/text-of.js';
import { MemoriesQueries, type MemoriesOf } from '#projections/memories/queries.js';
import type { MemoryRow } from '#projections/memories/memories.projection.js';
import { SearchQueries } from '#projections/search/queries.js';
import type { SearchHit } from '#projections/search/search-request.js';
import type { Answer } from '../platform/http/answer.js';
import { At, Flag, PositionText, SeedText, Text, Whole } from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { RecordedReads } from '../search/recorded-reads.js';
import { SearchAccess } from '../search/search-access.js';
import { MemoriesAccess } from './memories-access.js';
import { Person, Tags } from './memory-fields.js';
import { RecallDto, type RecalledMemoryDto } from './memory-view.js';
import { SealedMemories } from './sealed-memories.js';

const READ_MODEL = ['search', 'memories'] as const;
const DEFAULT_LIMIT = 10;
const DEFAULT_CHARACTERS = 4_000;
/** Standing instructions come first, because they hold whatever is asked: a third of the answer at most. */
const instructionsAmong = (limit: number): number => Math.ceil(limit / 3);
/** Of a recall by tags, so many hits are compared with the tags. */
const HITS_OF_TAGS = 100;

@Describes({
  summary: 'What is remembered about a person, for a prompt: what a query finds, then the newest',
  roles: { own: ['agent', 'user'], of: 'user' },
  answers: [200, RecallDto],
  example: { query: 'Which nuts?', user_id: 'ada', limit: 5 },
  fails: ['NOT_FOUND', 'JOB_ENDED'],
  reads: READ_MODEL,
})
export class RecallMemories extends WriteRequest<RecallDto> {
  @Text({ optional: true, max: MAX_QUERY, description: 'Words, in any form; default: the newest.' })
  query?: string;

  @Person() user_id?: string;

  @Whole({ optional: true, min: 1, max: 100, description: 'The most memories; default: 10.' })
  limit?: number;

  @Whole({
    optional: true,
    min: 100,
    max: 100_000,
    description: 'The most characters of the text; default: 4,000.',
  })
  max_chars?: number;

  @Tags('Only memories that have all these tags.') tags?: string[];

  @Flag({ optional: true, description: 'True: public facts and episodes as well.' })
  shared?: boolean;

  @PositionText({ optional: true, description: 'The position in the log; default: its end.' })
  as_of?: string;

  @At('as_of') at?: string;

  @SeedText({ optional: true, description: 'The job that records what was recalled.' })
  record_in?: string;
}

/** The parts of one recall: whose memories, at which position, at most how many. */
interface RecallPlan {
  /** The memories; undefined if the person has none. */
  readonly of: MemoriesOf | undefined;
  /** The scopes of other entries than memories. */
  readonly scopes: readonly Scope[];
  /** The fingerprints of the tags that a memory must have; undefined for any. */
  readonly tags: readonly string[] | undefined;
  readonly asOf: bigint;
  readonly limit: number;
}

interface Newest {
  readonly rows: readonly MemoryRow[];
  readonly entries: readonly SearchHit[];
}

/** Reads what is remembered about a person. It changes memory only if a job records what was read. */
@CommandHandler(RecallMemories)
export class RecallMemoriesHandler implements ICommandHandler<RecallMemories> {
  constructor(
    private readonly memories: MemoriesQueries,
    private readonly search: SearchQueries,
    private readonly access: MemoriesAccess,
    private readonly searchAccess: SearchAccess,
    private readonly sealed: SealedMemories,
    private readonly reads: RecordedReads,
  ) {}

  execute(asked: RecallMemories): Promise<Answer<RecallDto>> {
    return this.reads.answer(
      asked,
      async (as_of) => this.recall(asked, await this.reads.positionAt(as_of, READ_MODEL)),
      ({ recalled }) => recalled.map(({ id }) => id),
    );
  }

  private async recall(asked: RecallMemories, asOf: bigint): Promise<RecallDto> {
    const { actor, user_id, limit = DEFAULT_LIMIT, max_chars = DEFAULT_CHARACTERS } = asked;
    const owner = this.access.actingFor(actor, user_id);
    const isTagged = asked.tags !== undefined && asked.tags.length > 0;
    const [kid, scopes] = await Promise.all([
      this.sealed.kidOf(owner),
      isTagged ? [] : this.scopesOf(actor, asked),
    ]);
    const person: RecallPlan = {
      of: kid === undefined ? undefined : { kid, at: clockOf(asked) },
      tags: isTagged && kid !== undefined ? await this.sealed.tagsOf(owner, asked.tags) : undefined,
      ...{ scopes, asOf, limit },
    };
    // The newest seldom all stand among the hits, so both are read at once.
    const [hits, newest] = await Promise.all([this.hits(asked, person), this.newest(person)]);
    const among = await this.among(hits, person);
    const found = [...among.instructions, ...among.hits];
    const known = new Set(found.map(({ id }) => id));
    const others = known.size < limit ? await this.others(newest, known, limit) : [];
    const chosen = fitting(unique([...found, ...others]), limit, max_chars);
    return {
      recalled: chosen,
      text: chosen.map(({ line }) => line).join('\n'),
      as_of: asOf.toString(),
    };
  }

  /** Returns the scopes of the person's items and facts, and of what everybody may read if it is asked for. */
  private async scopesOf(actor: Actor, { user_id, shared }: RecallMemories) {
    const named = { user_id, job_seed: undefined, project_root: undefined };
    const { exact } = await this.searchAccess.scopesOf(actor, named);
    return exact.filter((scope) => isOfPerson(scope) || (shared === true && isPublic(scope)));
  }

  /** Returns what the query finds, best first. */
  private async hits({ query = '', shared }: RecallMemories, person: RecallPlan) {
    const { of, scopes, tags, asOf, limit } = person;
    if (query === '') return [];
    const { hits } = await this.search.search({
      ...{ query, operators: false, ranking: LATEST_RANKING, asOf, filter: {} },
      kinds: ['memory', 'memory_item', 'fact', ...(shared ? (['episode'] as const) : [])],
      scopes: {
        exact: of === undefined ? scopes : [memoryScope(of.kid), ...scopes],
        prefixes: scopes.some(isPublic) ? [CLEARED_FACTS] : [],
      },
      limit: tags === undefined ? limit : HITS_OF_TAGS,
    });
    return hits;
  }

  /** Opens the memories among the hits, and the newest standing instructions. */
  private async among(hits: readonly SearchHit[], { of, tags, asOf, limit }: RecallPlan) {
    const ids = hits.filter(({ kind }) => kind === 'memory').map(({ id }) => id);
    const most = tags === undefined ? instructionsAmong(limit) : 0;
    const rows = of === undefined ? [] : await this.memories.amongAt(of, asOf, ids, most);
    const wanted = rows.filter((row) => (tags ?? []).every((tag) => row.tags.includes(tag)));
    const memories = new Map((await this.shown(wanted)).map((one) => [one.id, one]));
    const scores = new Map(hits.map(({ id, score }) => [id, score]));
    const scored = (one: RecalledMemoryDto): RecalledMemoryDto => ({
      ...one,
      score: scores.get(one.id) ?? null,
    });
    const instructions = wanted
      .filter(({ because }) => because === 'instruction')
      .sort(newestFirst)
      .slice(0, most)
      .flatMap(({ memory_id }) => memories.get(memory_id) ?? []);
    const found = hits.flatMap((hit) =>
      hit.kind === 'memory' ? (memories.get(hit.id) ?? []) : entryOf(hit),
    );
    return { instructions: instructions.map(scored), hits: found.map(scored) };
  }

  /** Returns the newest memories, and the newest items and facts, of the person. */
  private async newest({ of, scopes, tags, asOf, limit }: RecallPlan): Promise<Newest> {
    const own = scopes.filter(isOfPerson);
    const [rows, entries] = await Promise.all([
      of === undefined ? [] : this.memories.newest(of, asOf, tags, limit),
      own.length === 0 ? [] : this.search.newest(['memory_item', 'fact'], own, asOf, limit),
    ]);
    return { rows, entries };
  }

  /** Opens the newest that are not known, as many as there is room for. */
  private async others(
    { rows, entries }: Newest,
    known: ReadonlySet<string>,
    limit: number,
  ): Promise<readonly RecalledMemoryDto[]> {
    const others = rows.filter(({ memory_id }) => !known.has(memory_id));
    const memories = await this.shown(others.slice(0, limit - known.size));
    return [...memories, ...entries.map(entryOf)].sort(laterFirst);
  }

  private async shown(rows: readonly MemoryRow[]): Promise<RecalledMemoryDto[]> {
    const shown = (await this.sealed.shown(rows, true)).filter(({ damaged }) => !damaged);
    return shown.map(({ id, version, text, tags, updated_at }) => ({
      ...{ kind: 'memory', id, text, time: updated_at, score: null, version, tags },
      line: recalledLine(updated_at, text),
    }));
  }
}

/**
 * Returns the time by which a memory must not have expired. A recall at a position, or one that a job records, depends on
 * the position alone: what had not lapsed in the log by then is there.
 */
const clockOf = ({ as_of, at, record_in }: RecallMemories): string =>
  as_of === undefined && at === undefined && record_in === undefined
    ? new Date().toISOString()
    : '';

/** The sort is stable, so those of one time stay in the order of the log. */
const laterFirst = (left: RecalledMemoryDto, right: RecalledMemoryDto): number =>
  byteOrder(right.time, left.time);

const newestFirst = (left: MemoryRow, right: MemoryRow): number =>
  byteOrder(right.updated_at, left.updated_at) ||
  Number(BigInt(right.appeared) - BigInt(left.appeared));

function unique(some: readonly RecalledMemoryDto[]): RecalledMemoryDto[] {
  const byId = new Map<string, RecalledMemoryDto>();
  for (const one of some) if (!byId.has(one.id)) byId.set(one.id, one);
  return [...byId.values()];
}

const isOfPerson = (scope: Scope): boolean => /^(?:entity|store:user):/.test(scope);
const isPublic = (scope: Scope): boolean => scope === 'public';

function entryOf({ kind, id, text, shown_at: time }: SearchHit): RecalledMemoryDto {
  const said = kind === 'fact' ? `${keyWordsOf(id)}: ${text}` : text;
  return { kind, id, text, time, score: null, line: recalledLine(time, said) };
}
