import { SEARCH_KINDS } from '#domain/search/kinds.js';
import { LATEST_RANKING } from '#domain/search/rankings.js';
import { readableScopes } from '#domain/search/scopes.js';
import type { Actor } from '#domain/recorded-event.js';
import { privateOwnerOf } from '#domain/ownership/private-owner.js';
import { SearchQueries } from '#projections/search/queries.js';
import { Postgres } from '#read-model/postgres.js';
import type { Measured } from '../cases/search-owners.js';
import { pseudoRandom } from '../harness/load.js';
import { queriesOf } from '../harness/zipf-words.js';

const AUDITOR: Actor = { sub: 'auditor', roles: ['auditor'] };
const WARM_UP_SEARCHES = 500;

const postgres = new Postgres({ url: process.env['SEARCHED_URL']! });
const queries = new SearchQueries(postgres);
const shown = BigInt(process.env['SEARCHED_POSITION']!);

async function search(actor: Actor, query: string): Promise<number> {
  const { hits } = await queries.search({
    ...{ query, ranking: LATEST_RANKING, kinds: SEARCH_KINDS, asOf: undefined, limit: 10, shown },
    scopes: readableScopes(actor, {
      ...{ ownsSlug: true, noteOwner: privateOwnerOf(actor), project: null },
    }),
    filter: {},
  });
  return hits.length;
}

async function measured(query: string): Promise<Measured> {
  globalThis.gc!();
  const before = process.memoryUsage.rss();
  let last = performance.now();
  let longestTurnMs = 0;
  let most = before;
  const timer = setInterval(() => {
    const now = performance.now();
    longestTurnMs = Math.max(longestTurnMs, now - last - 1);
    last = now;
    most = Math.max(most, process.memoryUsage.rss());
  }, 1);
  const began = performance.now();
  const hits = await search(AUDITOR, query);
  const ms = performance.now() - began;
  await new Promise((resolve) => setTimeout(resolve, 5));
  clearInterval(timer);
  return { ms, longestTurnMs, grownBytes: most - before, hits };
}

const queryOf = queriesOf(pseudoRandom(3))['several words'];
for (let n = 0; n < WARM_UP_SEARCHES; n += 1)
  await search({ sub: 'x', roles: ['user'], user_id: `user-${n}` }, queryOf());
const query = queryOf();
for (let n = 0; n < 2; n += 1) process.stdout.write(`${JSON.stringify(await measured(query))}\n`);
await postgres.close();
