// An agent of Mastra whose threads and messages are kept in MACE Memory:
//   MACE_URL=… MACE_TOKEN=… MODEL_URL=… MODEL_KEY=… node memory.mjs
import { MaceClient } from '@mace-memory/client';
import { MaceMemoryStorage } from '@mace-memory/mastra';
import { Agent } from '@mastra/core/agent';
import { InMemoryStore, MastraCompositeStore } from '@mastra/core/storage';
import { Memory } from '@mastra/memory';

const mace = new MaceClient({ baseUrl: process.env.MACE_URL, token: process.env.MACE_TOKEN });
const memory = new MaceMemoryStorage(mace);
const storage = new MastraCompositeStore({
  id: 'mace',
  domains: { memory },
  default: new InMemoryStore(),
});
const agent = new Agent({
  id: 'travel-agent',
  name: 'Travel agent',
  instructions: 'Answer in one sentence.',
  model: { id: 'local/model', url: process.env.MODEL_URL, apiKey: process.env.MODEL_KEY },
  memory: new Memory({ storage, options: { lastMessages: 10 } }),
});

const thread = { thread: 'trip-to-rome', resource: 'ada' };
for (const said of ['My name is Ada, and I fly to Rome.', 'Where do I fly?']) {
  const { text } = await agent.generate(said, { memory: thread });
  console.log(`> ${said}\n${text}`);
}

// Everything above is recorded: it can be read at each version, replayed and exported.
const conversation = memory.conversation('trip-to-rome');
const { count, version } = await conversation.items();
const { events_checked, identical } = await conversation.replay('strict');
const bundle = [];
for await (const line of conversation.bundle()) bundle.push(line);
const { threads } = await memory.listThreads({ filter: { resourceId: 'ada' } });
console.log(`${count} messages in ${version} events, in ${threads.length} thread`);
console.log(`Replayed ${events_checked} events: ${identical ? 'identical' : 'different'}`);
console.log(`Exported ${bundle.length - 1} events, signed by ${JSON.parse(bundle[0]).key_id}`);
