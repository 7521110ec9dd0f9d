// A graph that plans a trip and asks a person before it books. MACE Memory is its checkpointer and its store, so the
// program can end while the graph waits: another run goes on from the thread. The last lines prove what was written.
//   MACE_URL=http://127.0.0.1:3000 MACE_TOKEN=… MODEL_URL=http://127.0.0.1:11434/v1 node agent.mjs
import { Annotation, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph';
import { MaceClient } from '@mace-memory/client';
import { MaceSaver, MaceStore } from '@mace-memory/langgraph';

const { MACE_URL: baseUrl, MACE_TOKEN: token, MODEL_URL, MODEL = 'local' } = process.env;
const mace = new MaceClient({ baseUrl, token });
const PREFERENCES = ['traveller', 'preferences'];

/** Asks a model with the OpenAI chat completions API. */
async function ask(content) {
  const response = await fetch(`${MODEL_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content }] }),
  });
  const { choices } = await response.json();
  return choices[0].message.content;
}

async function plan({ request }, { store }) {
  const known = await store.search(PREFERENCES, { query: request });
  const wishes = known.map(({ value }) => value.text).join('; ');
  return { plan: await ask(`Plan in one sentence: ${request}. The traveller says: ${wishes}`) };
}

const approve = ({ plan }) => ({ answer: interrupt({ question: 'Book this?', plan }) });

async function book({ plan, answer }, { store }) {
  await store.put(PREFERENCES, 'last-trip', { text: `The last trip was: ${plan}` });
  return { booked: answer === 'yes' };
}

const State = Annotation.Root({
  request: Annotation(),
  plan: Annotation(),
  answer: Annotation(),
  booked: Annotation(),
});
const graph = () =>
  new StateGraph(State)
    .addNode('make_plan', plan)
    .addNode('approve', approve)
    .addNode('book', book)
    .addEdge(START, 'make_plan')
    .addEdge('make_plan', 'approve')
    .addEdge('approve', 'book')
    .addEdge('book', END)
    .compile({ checkpointer: new MaceSaver(mace), store: new MaceStore(mace) });

const thread_id = `trip-${Date.now()}`;
const config = { configurable: { thread_id } };
await new MaceStore(mace).put(PREFERENCES, 'seat', {
  text: 'On a trip I want a seat at the window.',
});

const waiting = await graph().invoke({ request: 'a trip to Seattle' }, config);
console.log('interrupted:', waiting.__interrupt__[0].value.question, waiting.plan);

// A new graph knows the thread by its id alone.
const done = await graph().invoke(new Command({ resume: 'yes' }), config);
console.log('resumed:', `booked ${done.booked}`);

const lines = [];
for await (const line of mace.threads.bundle({ thread_id })) lines.push(JSON.parse(line));
const [header, ...events] = lines;
const last = events.at(-1);
const report = await mace.threads.replay({ thread_id });
const { stream, versions } = await mace.notes.history({ namespace: PREFERENCES, key: 'last-trip' });
console.log('recorded:', stream, 'version', versions.at(-1).version, 'hash', versions.at(-1).hash);
console.log('recorded:', last.stream, 'event', last.number, last.type, 'hash', last.metadata.hash);
console.log('verified:', `${report.events_checked} events, identical ${report.identical}`);
console.log('exported:', `${events.length} events in a bundle, signed by key ${header.key_id}`);
