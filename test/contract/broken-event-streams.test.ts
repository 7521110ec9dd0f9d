import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MaceClient } from '#client/mace-client.js';
import { tries } from '#test/support/tries.js';

/** What a connection does after some bytes: it fails, or ends as if the stream were over. */
type Break = { readonly after: number; readonly kind: 'error' | 'end' };

const ACCENTS = 'é€😀';
const EVENTS = Array.from({ length: 6 }, (_, place) => ({
  position: String((place + 1) * 10),
  number: place,
  type: place === 5 ? 'episodic_summary' : 'job_started',
  data: { text: `${ACCENTS} ${place}\n\nid: 99` },
}));
const BEGIN = ': the stream begins\nid: 0\n\n';
const END = ': the end\n\n';

/** The bytes that the service sends to a caller who has seen the events up to a position. */
function bytesAfter(position: number, lineEnd: string): Uint8Array {
  const blocks = EVENTS.filter((event) => Number(event.position) > position).map(
    (event) => `id: ${event.position}\nevent: message\ndata: ${JSON.stringify(event)}\n\n`,
  );
  const text = BEGIN.replace('id: 0', `id: ${position}`) + blocks.join(': alive\n\n') + END;
  return new TextEncoder().encode(text.replaceAll('\n', lineEnd));
}

/** A service whose first connections break. It counts the connections. */
function breaking(breaks: readonly Break[], lineEnd = '\n', pieceBytes = 7) {
  const seen: (string | null)[] = [];
  const answer: typeof fetch = async (_input, init) => {
    const position = new Headers(init?.headers).get('last-event-id');
    const broken = breaks[seen.length];
    seen.push(position);
    const all = bytesAfter(Number(position ?? 0), lineEnd);
    let sent = 0;
    const limit = broken === undefined ? all.length : Math.min(broken.after, all.length);
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent < limit) {
          const piece = all.slice(sent, Math.min(sent + pieceBytes, limit));
          sent += piece.length;
          controller.enqueue(piece);
        } else if (broken?.kind === 'error') controller.error(new Error('the connection is lost'));
        else controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const mace = new MaceClient({ baseUrl: 'http://service.test', token: 't', fetch: answer });
  return { mace, seen };
}

const positionsOf = async (events: AsyncIterable<{ readonly position: string }>) => {
  const found: string[] = [];
  for await (const { position } of events) found.push(position);
  return found;
};

const ALL = EVENTS.map(({ position }) => position);
const LENGTH = bytesAfter(0, '\n').length;

describe('A stream of events that breaks', () => {
  it('within its first connection goes on where it was, wherever it breaks', async () => {
    const step = Math.round(LENGTH / tries(LENGTH));
    const places = Array.from({ length: LENGTH + 1 }, (_, after) => after);
    const breaks = places
      .filter((after) => after % step === 0)
      .flatMap((after) => (['error', 'end'] as const).map((kind) => ({ after, kind })));
    await Promise.all(
      breaks.map(async (one) => {
        const { mace } = breaking([one]);
        const positions = await positionsOf(mace.events({ until: '60' }));
        expect({ ...one, positions }).toStrictEqual({ ...one, positions: ALL });
      }),
    );
  });

  it('several times has each event once, of the log and of a job', async () => {
    const broken = fc.record({
      after: fc.nat({ max: LENGTH }),
      kind: fc.constantFrom('error' as const, 'end' as const),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(broken, { maxLength: 3 }),
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 50 }),
        async (breaks, lineEnd, pieceBytes) => {
          const log = breaking(breaks, lineEnd, pieceBytes).mace.events({ until: '60' });
          expect(await positionsOf(log)).toStrictEqual(ALL);
          const job = breaking(breaks, lineEnd, pieceBytes).mace.job('j').follow({ toEnd: true });
          expect(await positionsOf(job)).toStrictEqual(ALL);
        },
      ),
      { numRuns: tries(20) },
    );
  });
});
