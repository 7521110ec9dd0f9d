import { privateOwnerOf } from '#domain/ownership/private-owner.js';
import { SEARCH_KINDS } from '#domain/search/kinds.js';
import { LATEST_RANKING } from '#domain/search/rankings.js';
import { readableScopes } from '#domain/search/scopes.js';
import { SearchQueries } from '#projections/search/queries.js';
import { Postgres } from '#read-model/postgres.js';
import { pseudoRandom, timed } from '../harness/load.js';
import {
  atLeast,
  beside,
  latencies,
  percentile,
  type Report,
  type Row,
  type Target,
} from '../harness/report.js';
import {
  CALLER,
  FULL_TEXT_TABLES,
  READABLE_OWNERS,
  SearchedData,
} from '../harness/searched-data.js';
import type { Setting } from '../harness/setting.js';
import { queriesOf } from '../harness/zipf-words.js';

/** The factor by which each kind of query must be faster than full text. */
const FACTORS = { 'one common word': 4, 'several words': 4, 'rare words': 1 } as const;
type Kind = keyof typeof FACTORS;

/** The numbers of entries, with how often each kind of query is measured; only the first two have targets. */
const SIZES = [
  { entries: 10_000, repeats: 300, hasTargets: true },
  { entries: 200_000, repeats: 150, hasTargets: true },
  { entries: 1_000_000, repeats: 20, hasTargets: false },
] as const;

/**
 * Case (search): searches over the episodes that a caller may read, as the data grows. The product and Postgres have
 * the same rows and queries. Each size is reported when it is measured, because the largest one takes minutes.
 */
export async function* search(setting: Setting): AsyncGenerator<Report> {
  const postgres = new Postgres({ url: await setting.newDatabase() });
  try {
    const data = new SearchedData(postgres);
    await data.create();
    const searches = new Searches(postgres, data);
    for (const { entries, repeats, hasTargets } of SIZES) {
      const rows: Row[] = [await data.growTo(setting.sized(entries))];
      const targets: Target[] = [];
      for (const kind of Object.keys(FACTORS) as Kind[]) {
        const report = await searches.beside(kind, setting.quick ? 30 : repeats);
        rows.push(...report.rows);
        if (hasTargets) targets.push(...report.targets);
      }
      rows.push(await searches.afterWrites());
      yield { rows, targets };
    }
  } finally {
    await postgres.close();
  }
}

/** Searches that the caller makes, and the same in full text. */
class Searches {
  private readonly queries: SearchQueries;

  constructor(
    private readonly postgres: Postgres,
    private readonly data: SearchedData,
  ) {
    this.queries = new SearchQueries(postgres);
  }

  /** Measures queries of one kind on both sides. */
  async beside(kind: Kind, repeats: number): Promise<Report> {
    const texts = Array.from({ length: repeats }, queriesOf(pseudoRandom(this.data.size))[kind]);
    const ours = latencies(
      this.label(kind, 'ours'),
      await timed(texts, (text) => this.search(text), texts.length),
    );
    const theirs = latencies(this.label(kind, 'full text'), await this.fullText(texts));
    const rows = ours.flatMap((row, index) => [row, beside(theirs[index]!, row)]);
    const targets = ours.map((row, index) =>
      atLeast(
        `${row.name}: at most ${FACTORS[kind] === 1 ? 'full text’s' : 'a quarter of full text’s'}`,
        FACTORS[kind],
        row,
        theirs[index]!,
      ),
    );
    return { rows, targets };
  }

  /** Measures searches each of which follows a write that the caller may read. */
  async afterWrites(): Promise<Row> {
    const texts = Array.from({ length: 20 }, queriesOf(pseudoRandom(7))['several words']);
    const sample: number[] = [];
    for (const text of texts) {
      await this.data.writeOne();
      const began = performance.now();
      await this.search(text);
      sample.push(performance.now() - began);
    }
    const name = this.label('several words', 'ours, right after a write, p50');
    return { name, value: percentile(sample, 0.5), unit: 'ms' };
  }

  private label(kind: Kind, whose: string): string {
    return `${this.data.size.toLocaleString('en-US')}, ${kind}: ${whose}`;
  }

  private search(query: string): Promise<unknown> {
    return this.queries.search({
      ...{ query, ranking: LATEST_RANKING, kinds: SEARCH_KINDS, asOf: undefined, limit: 10 },
      shown: this.data.position,
      scopes: readableScopes(CALLER, {
        ...{ ownsSlug: true, noteOwner: privateOwnerOf(CALLER), project: null },
      }),
      filter: {},
    });
  }

  /** Returns the latencies of the table whose index is the faster one for these queries. */
  private async fullText(texts: readonly string[]): Promise<number[]> {
    const samples: number[][] = [];
    for (const name of Object.keys(FULL_TEXT_TABLES)) {
      const query = {
        name,
        text: `select episodic_id, summary, created, ts_rank(document, query) as score
          from ${name}, to_tsquery('simple', $1) query
          where document @@ query and owner = any($2)
          order by score desc, created desc, episodic_id limit 10`,
      };
      samples.push(
        await timed(
          texts,
          (text) => this.postgres.query(query, [text.split(' ').join(' | '), READABLE_OWNERS]),
          texts.length,
        ),
      );
    }
    const [best] = samples.sort((left, right) => percentile(left, 0.5) - percentile(right, 0.5));
    return best ?? [];
  }
}
