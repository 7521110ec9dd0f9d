import { PostgresStore } from '@langchain/langgraph-checkpoint-postgres/store';
import { answer, args, note } from './answer.mjs';

const { facts, reads, postgresUrl } = args;
const store = PostgresStore.fromConnString(postgresUrl);
await store.setup();
for (let index = 0; index < facts; index += 1) {
  await store.put(['world', 'fact'], `subject_${index}`, { value: note(index) }, false);
}
let state = 1;
const draw = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % facts;
const sample = [];
for (let index = -200; index < reads; index += 1) {
  const key = `subject_${draw()}`;
  const began = performance.now();
  const item = await store.get(['world', 'fact'], key);
  if (item === null) throw new Error(`${key} is not there`);
  if (index >= 0) sample.push(performance.now() - began);
}
answer({ sample });
process.exit(0);
