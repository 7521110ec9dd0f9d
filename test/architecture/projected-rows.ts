import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '#domain/json.js';
import type { RecordedEvent } from '#domain/recorded-event.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { Projection, ProjectionTransaction } from '#read-model/projection.js';
import { Postgres } from '#read-model/postgres.js';
import { createSchema } from '#read-model/schema-layout.js';
import { concerns, upcastLogged } from '#read-model/upcasting.js';
import { linesOf } from '#test/golden/golden-streams.js';
import { productProjections, TEST_MACS } from '#test/support/product-projections.js';
import { startEmptyPostgres } from '#test/support/servers.js';

/** The rows of one recorded stream, by table. */
type Rows = Readonly<Record<string, readonly Json[]>>;

/** The rows that a version of a read model makes of recorded streams, by the name of the stream's file. */
export interface ProjectedRows {
  readonly version: number;
  readonly rows: Readonly<Record<string, Rows>>;
}

const STREAMS = sourceFolder('golden/streams/');
const RECORDED = sourceFolder('architecture/rows/');

/** Returns a folder of the sources, also to a program that runs from dist/. */
function sourceFolder(path: string): URL {
  const beside = new URL(`../${path}`, import.meta.url);
  return beside.pathname.includes('/dist/')
    ? new URL(`../../../test/${path}`, import.meta.url)
    : beside;
}

export const fileOfRows = (name: string): URL => new URL(`${name}.json`, RECORDED);

/** Returns the recorded rows of a read model; undefined for a new one. */
export const recordedRows = (name: string): ProjectedRows | undefined =>
  existsSync(fileOfRows(name))
    ? (JSON.parse(readFileSync(fileOfRows(name), 'utf8')) as ProjectedRows)
    : undefined;

/** Returns the streams whose recorded rows are others today. A stream without recorded rows does not count. */
export const changedStreams = (recorded: ProjectedRows, now: ProjectedRows): readonly string[] =>
  Object.entries(recorded.rows)
    .filter(([stream, rows]) => !isDeepStrictEqual(rows, now.rows[stream]))
    .map(([stream]) => stream);

/**
 * Folds each recorded stream by itself into the empty tables of each read model, and returns the rows. What a
 * projection opens is not there, as if its key was destroyed.
 */
export async function projectedRows(): Promise<ReadonlyMap<string, ProjectedRows>> {
  const server = await startEmptyPostgres();
  const postgres = new Postgres({ url: server.url, maxConnections: 1, macs: TEST_MACS });
  try {
    const made = new Map<string, ProjectedRows>();
    for (const projection of await productProjections()) {
      await createSchema(postgres, projection, projection.name);
      const rows: Record<string, Rows> = {};
      for (const [stream, events] of recordedStreams()) {
        const own = events.filter((event) => concerns(projection, event));
        if (own.length > 0) rows[stream] = await rowsOf(postgres, projection, own);
      }
      made.set(projection.name, { version: projection.version, rows });
    }
    return made;
  } finally {
    await postgres.close();
    await server.stop();
  }
}

function* recordedStreams(): Generator<[stream: string, events: readonly LoggedEvent[]]> {
  for (const file of readdirSync(STREAMS).sort()) {
    if (!file.endsWith('.ndjson')) continue;
    const [, ...lines] = linesOf(readFileSync(new URL(file, STREAMS), 'utf8'));
    const events = lines.map((line) => JSON.parse(line) as RecordedEvent);
    yield [
      file.replace('.ndjson', ''),
      events.map((event) =>
        upcastLogged({
          ...event,
          id: event.metadata.event_id,
          position: BigInt(100 + event.number),
        }),
      ),
    ];
  }
}

/** Ends the transaction, so that the next stream finds empty tables. */
class Undone extends Error {}

async function rowsOf(
  postgres: Postgres,
  projection: Projection,
  events: readonly LoggedEvent[],
): Promise<Rows> {
  let rows: Rows = {};
  const undone = postgres.transaction((tx) =>
    tx.within(projection.name, async (tables) => {
      await projection.project(tables, events);
      rows = await dumpOf(tables, projection.name);
      throw new Undone();
    }),
  );
  await undone.catch((cause: unknown) => {
    if (!(cause instanceof Undone)) throw cause;
  });
  return rows;
}

/** Returns the rows of all tables with rows. The MAC of a row follows from the row. */
async function dumpOf(tx: ProjectionTransaction, schema: string): Promise<Rows> {
  const tables = await tx.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = $1 and table_name <> 'checkpoint' order by 1`,
    [schema],
  );
  const dump: Record<string, readonly Json[]> = {};
  for (const { name } of tables) {
    const rows = await tx.query<{ row: Json }>(
      `select to_jsonb(one) - 'mac' as row from ${name} as one order by one::text collate "C"`,
    );
    if (rows.length > 0) dump[name] = rows.map(({ row }) => row);
  }
  return dump;
}
