import { PostgresStore } from '@langchain/langgraph-checkpoint-postgres/store';
import { answer, args, preferences } from './answer.mjs';

// The search is the full-text search of LangGraph's store, without embeddings, because the product uses
// no model either.
const { sizes, turns, warmUp, postgresUrl } = args;
const texts = preferences(Math.max(...sizes));
const store = PostgresStore.fromConnString(postgresUrl);
await store.setup();
const results = [];
for (const size of sizes) {
  const namespace = [`memories${size}`];
  for (let index = 0; index < size; index += 1)
    await store.put(namespace, `preference_${index}`, { text: texts[index] }, false);
  for (let index = 0; size === sizes[0] && index < warmUp; index += 1)
    await store.search(namespace, { query: 'word1', limit: 3 });
  const searches = [];
  for (let turn = -10; turn < turns; turn += 1) {
    const query = texts[(turn + 10) % size].split(' ').at(-1);
    const began = performance.now();
    const found = await store.search(namespace, { query, limit: 3 });
    if (found.length === 0) throw new Error(`${query} is not found`);
    if (turn >= 0) searches.push(performance.now() - began);
  }
  results.push({ size, searches });
}
answer({ results });
process.exit(0);
