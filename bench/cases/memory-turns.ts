import type { RecordInteraction } from '#domain/memory-contract/commands.js';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import { storeOwners } from '#domain/memory-contract/owners.js';
import { policyHash, policyOf } from '#domain/memory-contract/policy.js';
import { memoryStream } from '#domain/stream-names.js';
import { AggregateStore } from '#event-store/aggregate-store.js';
import { runPeer } from '../harness/children.js';
import { nextIdentity } from '../harness/jobs.js';
import { pseudoRandom } from '../harness/load.js';
import { beside, latencies, type Report, type Row } from '../harness/report.js';
import { type RunningService, startServiceOn } from '../harness/service.js';
import type { Setting } from '../harness/setting.js';
import { TimedCaller } from '../harness/timed-caller.js';

const SIZES = [100, 1_000, 10_000];
const ASKED_SIZE = 1_000;
const TARGET_MS = 9;
/** How much longer a recall may take in the largest store than in the smallest: its answer is thirty times as long. */
const MOST_GROWTH = 3;
/**
 * The number of rounds. Each round measures all sizes one after the other, so that a slow moment of the
 * machine affects all of them.
 */
const ROUNDS = 4;
const TURNS_A_ROUND = 50;
const TURNS = ROUNDS * TURNS_A_ROUND;
/** The number of turns at the beginning of a round that are not measured. */
const RUN_UP = 10;
/** The number of turns and searches at the beginning that are not measured, so that hot code is compiled. */
const WARM_UP = 1_500;
/** The number of interactions in one append. */
const TOGETHER = 25;
const MEMORY = { short_term: 20, semantic: true, profile: true };
const POLICY = { forget_policy: 'never' } as const;

/** Runs the turns of one session, and keeps the duration of each recall and each interaction in ms. */
class Turns {
  taken = 0;
  readonly recalls: number[] = [];
  readonly interactions: number[] = [];

  /** @param size the number of items in the store before the first turn */
  constructor(
    readonly session_id: string,
    readonly size: number,
  ) {}

  /** For each turn, the sum of the durations of its recall and its interaction, in ms. */
  get whole(): readonly number[] {
    return this.recalls.map((ms, turn) => ms + (this.interactions[turn] ?? 0));
  }
}

/** Makes preferences, each with a unique word. The peers use the same texts. */
function preferences(count: number): string[] {
  const random = pseudoRandom(7);
  const things = ['coffee', 'trains', 'maps', 'rivers', 'letters', 'paper', 'music', 'chess'];
  const thing = () => things[Math.floor(random() * things.length)] ?? '';
  return Array.from({ length: count }, (_, i) => `I prefer ${thing()} to ${thing()} and word${i}`);
}

const WARM_UP_SESSION = 'bench-warm-up';
const sessionOf = (size: number): string => `bench-${size}`;

/** Fills a session's store with semantic items, as interactions do. */
async function fill({ eventStore }: Setting, size: number, texts: readonly string[]) {
  const stores = new AggregateStore(eventStore, memoryDecider, {
    writeFailure: 'MEMORY_WRITE_FAIL',
  });
  const owners = storeOwners({ session_id: sessionOf(size), user_id: 'bench', project_root: null });
  const policy = policyOf(POLICY);
  const commands = texts.slice(0, size).map((text): RecordInteraction => ({
    op: 'record_interaction',
    assistant: 'bench',
    owners,
    settings: MEMORY,
    policy_hash: policyHash(policy),
    policy,
    user: { text },
    ai: { text: 'Noted.' },
    tool: null,
    phase: null,
    phase_diff: null,
    elsewhere: [],
  }));
  const stream = memoryStream('session', owners.session);
  for (let first = 0; first < size; first += TOGETHER)
    await stores.execute(stream, commands.slice(first, first + TOGETHER), nextIdentity());
}

/** Runs one turn after the other, as an assistant does: a recall, then the interaction. */
async function take(
  service: RunningService,
  count: number,
  turns: Turns,
  texts: readonly string[],
): Promise<void> {
  const caller = new TimedCaller(service);
  const asked = {
    ...{ assistant: 'bench', session_id: turns.session_id, user_id: 'bench' },
    ...{ memory: MEMORY, policy: POLICY },
  };
  for (let left = RUN_UP + count; left > 0; left -= 1) {
    const turn = turns.taken++;
    const query = texts[turn % turns.size]?.split(' ').at(-1) ?? '';
    const recalled = await caller.post('/v1/memory/recall', { ...asked, query });
    const user_text = texts[turns.size + turn] ?? '';
    const said = { ...asked, user_text, ai_text: `Noted, ${turn}.` };
    const recorded = await caller.post('/v1/memory/interactions', said);
    if (left > count) continue;
    turns.recalls.push(recalled);
    turns.interactions.push(recorded);
  }
  caller.close();
}

/** Case (memory): a turn over HTTP, durable and traced. The peers have the same sizes and texts. */
export async function memoryTurns(setting: Setting): Promise<Report> {
  const sizes = SIZES.map((size) => setting.sized(size));
  const texts = preferences(Math.max(...sizes) + 2 * TURNS + WARM_UP);
  for (const size of sizes) await fill(setting, size, texts);
  const service = await startServiceOn(setting);
  const warmUp = new Turns(WARM_UP_SESSION, 1);
  const ours = sizes.map((size) => new Turns(sessionOf(size), size));
  try {
    await take(service, WARM_UP, warmUp, texts);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const turns of ours) await take(service, TURNS_A_ROUND, turns, texts);
  } finally {
    await service.stop();
  }
  const peer = { sizes, turns: TURNS, warmUp: WARM_UP };
  const mcp = await runPeer<{ results: { searches: number[]; creations: number[] }[] }>(
    'mcp-memory',
    peer,
  );
  const langGraph = await runPeer<{ results: { searches: number[] }[] }>('langgraph-search', {
    ...peer,
    postgresUrl: await setting.newDatabase(),
  });
  const rows = ours.flatMap(({ size, recalls, interactions }, index): Row[] => {
    const of = `${size.toLocaleString('en-US')} items`;
    const [recall] = latencies(`recall, ${of}`, recalls);
    const [interaction] = latencies(`interaction, ${of}`, interactions);
    const [search] = latencies(`MCP server-memory search_nodes, ${of}`, [
      ...(mcp.results[index]?.searches ?? []),
    ]);
    const [creation] = latencies(`MCP server-memory create_entities, ${of}`, [
      ...(mcp.results[index]?.creations ?? []),
    ]);
    const [graph] = latencies(`LangGraph PostgresStore.search in process, ${of}`, [
      ...(langGraph.results[index]?.searches ?? []),
    ]);
    return [
      ...[recall, interaction, beside(search, recall), beside(creation, interaction)],
      beside(graph, recall),
    ];
  });
  const first = warmUp.whole.slice(0, TURNS);
  const [cold] = latencies(`recall and interaction, the first ${TURNS} after a start`, first);
  return { rows: [cold, ...rows], targets: targetsOf(ours, setting.sized(ASKED_SIZE)) };
}

function targetsOf(ours: readonly Turns[], askedSize: number) {
  const asked = ours.find(({ size }) => size === askedSize);
  const [turn] = latencies('a turn', asked?.whole ?? []);
  const medians = ours.map(({ recalls }) => latencies('', recalls)[0].value);
  const growth = (medians.at(-1) ?? 0) / (medians[0] ?? 1);
  const shown = ours.map(({ size }) => size.toLocaleString('en-US'));
  return [
    {
      what: `recall and interaction together, ${askedSize.toLocaleString('en-US')} items: p50 under ${TARGET_MS} ms`,
      measured: `${turn.value.toFixed(2)} ms`,
      reached: turn.value < TARGET_MS,
    },
    {
      what: `a recall among ${shown.at(-1) ?? ''} items takes less than ${MOST_GROWTH} × one among ${shown[0] ?? ''}`,
      measured: `${growth.toFixed(2)} ×`,
      reached: growth < MOST_GROWTH,
    },
  ];
}
