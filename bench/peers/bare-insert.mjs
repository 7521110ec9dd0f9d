import { answer, args, bestOf, note, poolOf, timedTurns } from './answer.mjs';

const { count, writers } = args;
const setUp = poolOf(1);
await setUp.query(`create table bare_event (position bigint generated always as identity primary key,
  stream text not null, number int not null, type text not null, data jsonb not null, unique (stream, number))`);
await setUp.end();

const best = await bestOf([10, 32, writers], async (connections) => {
  const pool = poolOf(connections);
  const numbers = new Array(writers).fill(0);
  const insert = (index, writer) =>
    pool.query({
      name: 'insert',
      text: 'insert into bare_event (stream, number, type, data) values ($1, $2, $3, $4)',
      values: [
        `job-${connections}-${writer}`,
        numbers[writer]++,
        'wm_inserted',
        JSON.stringify({ wm_id: `wm:${writer}:${index}`, type: 'fact', value: note(index) }),
      ],
    });
  await timedTurns(writers * 4, writers, insert);
  const ms = await timedTurns(count, writers, insert);
  await pool.end();
  return { count, ms, note: `${connections} connections, its best` };
});
answer(best);
