import type { TortureClient } from '../client.js';
import type { Journal } from '../journal.js';
import type { Random } from '../random.js';

/** Asks questions whose answers are known. */
export async function ask(client: TortureClient, random: Random, journal: Journal): Promise<void> {
  while (!client.isClosing) {
    const [a, b] = [random.between(0, 99), random.between(0, 99)];
    const answer = await client.write({ kind: 'query', adds: { query_asked: 1 } }, (mace, o) =>
      mace.queries.ask({ query_text: `What is ${a} + ${b}?` }, o),
    );
    if (answer !== undefined && answer.answer !== `${a} + ${b} = ${a + b}`)
      journal.mustNotBe(`${a} + ${b} was answered with ${JSON.stringify(answer.answer)}`);
    await client.pause(100, 800);
  }
}
