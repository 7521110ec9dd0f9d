import { setTimeout as delay } from 'node:timers/promises';
import { MaceClient } from '#client/mace-client.js';
import { type Chat, withMemory } from '#client/with-memory.js';
import { beside, latencies, type Report, type Target } from '../harness/report.js';
import { startServiceOn } from '../harness/service.js';
import type { Setting } from '../harness/setting.js';

const MEMORIES = 1_000;
const AT_ONCE = 20;
const ROUNDS = 4;
const TURNS_A_ROUND = 50;
const WARM_UP = 300;
/** A person reads and writes between two turns; meanwhile the read models follow. */
const PAUSE_MS = 60;
/** How much longer a turn may take that remembers its user than one that has its session alone. */
const MOST = 1.5;

const THINGS = ['coffee', 'trains', 'maps', 'rivers', 'letters', 'paper', 'music', 'chess'];
const thing = (n: number): string => THINGS[n % THINGS.length] ?? '';
const saying = (n: number): string => `I prefer ${thing(n)} to ${thing(3 * n + 1)} and word${n}.`;

/** Case (chat): a turn of `withMemory` until it is recorded, with a user of whom 1,000 things are remembered, and without. */
export async function chatTurns(setting: Setting): Promise<Report> {
  const service = await startServiceOn(setting);
  const memories = setting.sized(MEMORIES);
  const durations = { kept: [] as number[], alone: [] as number[], recall: [] as number[] };
  try {
    const mace = new MaceClient({ baseUrl: service.url, token: service.token });
    const user_id = 'bench-person';
    for (let first = 0; first < memories; first += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) =>
          mace.remember({ text: saying(first + n), user_id }),
        ),
      );
    const chatOf = (keep: boolean): Chat =>
      withMemory(mace, { assistant: 'bench', session_id: `bench-chat-${keep}`, user_id, keep });
    const [kept, alone] = [chatOf(true), chatOf(false)];
    let said = memories;
    const taken = async (chat: Chat): Promise<number> => {
      await delay(PAUSE_MS);
      const began = performance.now();
      const { memory } = await chat.turn(saying((said += 1)), () => 'Noted.');
      const { failed } = await memory;
      if (failed !== undefined) throw failed[0];
      return performance.now() - began;
    };
    for (let turn = 0; turn < WARM_UP; turn += 1) await taken(turn % 2 === 0 ? kept : alone);
    for (let round = 0; round < ROUNDS; round += 1)
      for (let turn = 0; turn < TURNS_A_ROUND; turn += 1) {
        durations.kept.push(await taken(kept));
        durations.alone.push(await taken(alone));
        await delay(PAUSE_MS);
        const began = performance.now();
        await mace.recall({ query: `word${turn} ${thing(turn)}`, user_id });
        durations.recall.push(performance.now() - began);
      }
  } finally {
    await service.stop();
  }
  const of = `${memories.toLocaleString('en-US')} memories`;
  const [turn, slow] = latencies(`a turn that remembers its user, ${of}`, durations.kept);
  const [session] = latencies('a turn with its session alone', durations.alone);
  const [recall] = latencies(`a recall, ${of}`, durations.recall);
  const factor = turn.value / session.value;
  const target: Target = {
    what: `a turn that remembers its user takes at most ${MOST} × one with its session alone`,
    measured: `${factor.toFixed(2)} ×`,
    reached: factor <= MOST,
  };
  return { rows: [turn, slow, beside(session, turn), recall], targets: [target] };
}
