import type { LoggedEvent } from '#event-store/event-store.js';
import { EpisodesProjection } from '#projections/episodes/episodes.projection.js';
import { EpisodeQueries } from '#projections/episodes/queries.js';
import { projectionOf } from '#read-model/projector.decorator.js';
import { Postgres } from '#read-model/postgres.js';
import { createSchema, migrateManagement } from '#read-model/schema-layout.js';
import { pseudoRandom, timed } from '../harness/load.js';
import {
  atLeast,
  beside,
  latencies,
  type Report,
  type Row,
  type Target,
} from '../harness/report.js';
import type { Setting } from '../harness/setting.js';
import { queriesOf, textsOf } from '../harness/zipf-words.js';

const episodesProjection = projectionOf(new EpisodesProjection());

const SLICE = 1_000;

/** The equivalent full-text query in Postgres: any of the words, the ten best rows. */
const FULL_TEXT = {
  name: 'full_text',
  text: `select episodic_id, summary, created_seeded_ts, ts_rank(document, query) as score
    from full_text, to_tsquery('simple', $1) query
    where document @@ query order by score desc, created_seeded_ts desc, episodic_id limit 10`,
};

/**
 * Case (f): queries with common words, several words and rare words, at two sizes of the data. The
 * product and Postgres have the same rows and queries.
 */
export async function episodeQueries(setting: Setting): Promise<Report> {
  const rows: Row[] = [];
  const targets: Target[] = [];
  for (const size of setting.quick ? [1_000, 20_000] : [10_000, 200_000]) {
    const postgres = new Postgres({ url: await setting.newDatabase() });
    try {
      const measured = await measure(postgres, size, setting.quick ? 20 : 60);
      rows.push(...measured.flatMap((kind) => kind.rows));
      if (size < 20_000) continue;
      const all = {
        ours: measured.flatMap((m) => m.oursRaw),
        theirs: measured.flatMap((m) => m.theirsRaw),
      };
      const [ours50, ours99] = latencies('ours', all.ours);
      const [theirs50, theirs99] = latencies('theirs', all.theirs);
      targets.push(
        atLeast(
          `p50 of all kinds, ${size} entries: at most half of full text's`,
          2,
          ours50,
          theirs50,
        ),
        atLeast(
          `p99 of all kinds, ${size} entries: at most half of full text's`,
          2,
          ours99,
          theirs99,
        ),
      );
    } finally {
      await postgres.close();
    }
  }
  return { rows, targets };
}

async function measure(postgres: Postgres, size: number, repeats: number) {
  const random = pseudoRandom(size);
  await fill(postgres, size, textsOf(random));
  const queries = new EpisodeQueries(postgres);
  const measured = [];
  for (const [kind, make] of Object.entries(queriesOf(random))) {
    const texts = Array.from({ length: repeats }, make);
    const oursRaw = await timed(texts, (text) =>
      queries.query({ queryTerms: text, visibleTo: 'all' }),
    );
    const theirsRaw = await timed(texts, (text) =>
      postgres.query(FULL_TEXT, [text.split(' ').join(' | ')]),
    );
    const label = `${size.toLocaleString('en-US')}, ${kind}`;
    const [our50, our99] = latencies(`${label}: ours`, oursRaw);
    const [their50, their99] = latencies(`${label}: full text`, theirsRaw);
    const rows = [our50, beside(their50, our50), our99, beside(their99, our99)];
    measured.push({ oursRaw, theirsRaw, rows });
  }
  return measured;
}

async function fill(postgres: Postgres, size: number, summary: () => string): Promise<void> {
  await migrateManagement(postgres, ['episodes']);
  await createSchema(postgres, episodesProjection, 'episodes');
  for (let from = 0; from < size; from += SLICE) {
    const slice = Array.from({ length: SLICE }, (_, index) => episode(from + index, summary()));
    await postgres.transaction(async (tx) => {
      await tx.query('set local search_path to episodes');
      await episodesProjection.project(tx, slice);
    });
  }
  await postgres.query(`create table full_text as
    select episodic_id, created_seeded_ts, summary, to_tsvector('simple', summary) as document
    from episodes.entry`);
  await postgres.query('create index on full_text using gin (document)');
  await postgres.query('vacuum analyze');
}

const episode = (index: number, summary: string): LoggedEvent =>
  ({
    stream: `job-episodes-${index}`,
    number: 0,
    type: 'episode_written',
    position: BigInt(index),
    metadata: { trace_id: 'bench' },
    data: {
      ...{ episodic_id: `ep:${index}`, job_seed: `episodes-${index}`, summary, source: 'agent' },
      created_seeded_ts: new Date(1.7e12 + ((index * 7919) % 1e10)).toISOString(),
      owner: { sub: 'bench', user_id: null },
      ...{ evidence: [], payload: null, reflective_log_id: null },
    },
  }) as unknown as LoggedEvent;
