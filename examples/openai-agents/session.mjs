// An agent whose history is kept in MACE Memory:
//   MACE_URL=… MACE_TOKEN=… OPENAI_API_KEY=… node session.mjs
import { MaceClient } from '@mace-memory/client';
import { MaceSession } from '@mace-memory/openai-agents';
import { Agent, run, setTracingDisabled } from '@openai/agents';

setTracingDisabled(true);
const mace = new MaceClient({ baseUrl: process.env.MACE_URL, token: process.env.MACE_TOKEN });
const session = new MaceSession(mace, 'trip-to-rome');
const agent = new Agent({ name: 'Travel agent', instructions: 'Answer in one sentence.' });

for (const text of ['My name is Ada, and I fly to Rome.', 'Where do I fly?']) {
  const { finalOutput } = await run(agent, text, { session });
  console.log(`> ${text}\n${finalOutput}`);
}

// Everything above is recorded: it can be read at each version, replayed and exported.
const { conversation } = session;
const { count, version } = await conversation.items();
const first = await conversation.items({ version: 1 });
const { events_checked, identical } = await conversation.replay('strict');
const bundle = [];
for await (const line of conversation.bundle()) bundle.push(line);
console.log(`${count} items in ${version} events; the first event added ${first.count}`);
console.log(`Replayed ${events_checked} events: ${identical ? 'identical' : 'different'}`);
console.log(`Exported ${bundle.length - 1} events, signed by ${JSON.parse(bundle[0]).key_id}`);
