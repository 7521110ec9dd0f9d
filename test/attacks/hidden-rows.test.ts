import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { TestService } from '#test/support/service.js';

type Row = Readonly<Record<string, string>>;

interface Page {
  readonly stores?: readonly Row[];
  readonly sessions?: readonly Row[];
  readonly next_cursor: string | null;
}

/** More rows than one request looks at. */
const HIDDEN = 230;
const SECRET = 'meeting-about-the-merger';

const LISTS = ['memory?space=session', 'memory/sessions?user_id=petra'] as const;

describe('An attacker who lists memory that others own', () => {
  let service: TestService;
  let owner: Caller;
  let stranger: Caller;
  let auditor: Caller;

  const say = (by: Caller, session_id: string, user_id: string) =>
    by.post('memory/interactions', {
      ...{ assistant: 'helper', session_id, user_id, user_text: 'I like tea.', ai_text: 'Noted.' },
      memory: { short_term: 4, semantic: true, profile: true },
    });
  const pageOf = (by: Caller, list: string, limit: number, cursor?: string | null) =>
    by.get<Page>(
      `${list}&limit=${limit}${typeof cursor === 'string' ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    );
  const rowsIn = ({ stores, sessions }: Page) =>
    (stores ?? sessions ?? []).map(({ owner: name = '' }) => name);

  async function walk(by: Caller, list: string, limit: number): Promise<readonly Page[]> {
    const pages = [await pageOf(by, list, limit)];
    while (pages.at(-1)!.next_cursor !== null)
      pages.push(await pageOf(by, list, limit, pages.at(-1)!.next_cursor));
    return pages;
  }

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    service.writesAreSeen = true;
    [owner, stranger, auditor] = await Promise.all([
      Caller.of(service, 'agent', { sub: 'owner' }),
      Caller.of(service, 'agent', { sub: 'stranger' }),
      Caller.of(service, 'auditor'),
    ]);
    for (let made = 0; made < HIDDEN; made += 10)
      await Promise.all(
        Array.from({ length: 10 }, (_, number) =>
          say(owner, `${SECRET}-${made + number}${'x'.repeat((made + number) % 40)}`, 'petra'),
        ),
      );
  }, 120_000);
  afterAll(() => service?.stop());

  it.each(LISTS)(
    'reads no name and no position of a hidden row in a cursor of %s',
    async (list) => {
      const hidden = (await walk(auditor, list, 200)).flatMap(({ stores, sessions }) =>
        (stores ?? sessions ?? []).flatMap(({ owner: name, position }) => [
          name!,
          position ?? name!,
        ]),
      );
      const cursors: string[] = [];
      for (const limit of [1, 7, 200]) {
        const { next_cursor, ...page } = await pageOf(stranger, list, limit);
        expect(rowsIn({ ...page, next_cursor })).toStrictEqual([]);
        // The request did not look at every row.
        expect(next_cursor).not.toBeNull();
        cursors.push(next_cursor!);
      }
      const decoded = cursors.flatMap((cursor) => [
        cursor,
        ...cursor.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1')),
      ]);
      expect(decoded.some((text) => text.includes(SECRET))).toBe(false);
      // A position of few digits may be in any text by chance, but it is not the whole text.
      expect(decoded.filter((text) => hidden.includes(text.trim()))).toStrictEqual([]);
      expect(new Set(cursors.map(({ length }) => length)).size).toBe(1);
      // The same place is never the same text.
      expect(new Set(cursors).size).toBe(cursors.length);
    },
  );

  it.each(LISTS)('passes the hidden rows of %s in few pages, however short', async (list) => {
    expect(await walk(stranger, list, 1)).toHaveLength(2);
  });

  it('begins a page at no place that it chose, changed or took from another list', async () => {
    const [ofStores, ofSessions] = await Promise.all(
      LISTS.map(async (list) => (await pageOf(stranger, list, 1)).next_cursor!),
    );
    const refused = (list: string, cursor: string) =>
      stranger.refused('INVALID_INPUT', 'GET', `${list}&cursor=${encodeURIComponent(cursor)}`);
    for (const place of [`memory-session:${SECRET}`, '1', '999999', 'e30', 'a.b.c.d.e'])
      for (const list of LISTS) await refused(list, place);
    await refused(LISTS[0], ofSessions!);
    await refused(LISTS[1], ofStores!);
    const other = ofStores!.at(-2) === 'A' ? 'B' : 'A';
    await refused(LISTS[0], `${ofStores!.slice(0, -2)}${other}${ofStores!.at(-1)}`);
  });

  it.each(LISTS)('hides no row of %s from whoever may read it', async (list) => {
    await say(stranger, `${SECRET}-5-own`, 'petra');
    await say(stranger, 'zebra', 'petra');
    for (const limit of [1, 3, 200]) {
      const own = (await walk(stranger, list, limit)).flatMap(rowsIn);
      expect([...own].sort()).toStrictEqual([`${SECRET}-5-own`, 'zebra']);
      const all = (await walk(auditor, list, Math.max(limit, 50))).flatMap(rowsIn);
      expect(new Set(all).size).toBe(HIDDEN + 2);
      expect(all).toHaveLength(HIDDEN + 2);
    }
  });
});
