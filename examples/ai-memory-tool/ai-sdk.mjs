// Claude keeps its memory in MACE Memory, with the AI SDK:
//   MACE_URL=… MACE_TOKEN=… ANTHROPIC_API_KEY=… node ai-sdk.mjs
import { anthropic } from '@ai-sdk/anthropic';
import { MaceMemoryTool } from '@mace-memory/ai-memory-tool';
import { aiSdkMemoryTool } from '@mace-memory/ai-memory-tool/ai-sdk';
import { MaceClient } from '@mace-memory/client';
import { generateText, stepCountIs } from 'ai';

const mace = new MaceClient({ baseUrl: process.env.MACE_URL, token: process.env.MACE_TOKEN });
const memory = new MaceMemoryTool(mace);

const { text } = await generateText({
  model: anthropic('claude-sonnet-4-5'),
  tools: { memory: aiSdkMemoryTool(memory) },
  stopWhen: stepCountIs(10),
  prompt: 'Remember that my favorite color is green.',
});
console.log(text);

// Every file is a note: its history, the hash of each event, a replay and a signed export.
for await (const { namespace, key, stream } of mace.notes.all()) {
  const { versions } = await mace.notes.history({ stream });
  const { hash, type } = versions.at(-1);
  const { events_checked, identical } = await mace.notes.replay({ stream }, 'strict');
  const bundle = [];
  for await (const line of mace.notes.bundle({ stream })) bundle.push(line);
  console.log(`/${[...namespace, key].join('/')}: ${versions.length} versions`);
  console.log(`The last event is ${type} ${hash}`);
  console.log(`Replayed ${events_checked} events: ${identical ? 'identical' : 'different'}`);
  console.log(`Exported ${bundle.length - 1} events, signed by ${JSON.parse(bundle[0]).key_id}`);
}
