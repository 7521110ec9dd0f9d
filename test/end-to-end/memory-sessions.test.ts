import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';

interface Sessions {
  readonly sessions: readonly {
    readonly owner: string;
    readonly assistant: string;
    readonly position: string;
    readonly began_at: string;
  }[];
  readonly next_cursor: string | null;
}

describe('The sessions of a user', () => {
  let service: TestService;
  let agent: Caller;
  let auditor: Caller;
  const ada = named('User_Ada');
  const bob = named('bob');
  const [first, shared, last] = ['trip: one', 'shared', 'last'].map(named) as [
    string,
    string,
    string,
  ];
  const say = (by: Caller, session_id: string, user_id: string) =>
    by.post('memory/interactions', {
      ...{ assistant: 'helper', session_id, user_id, user_text: 'I like tea.', ai_text: 'Noted.' },
      memory: { short_term: 4, semantic: true, profile: true },
    });
  const sessionsOf = (by: Caller, user_id: string, more = '') =>
    by.get<Sessions>(`memory/sessions?user_id=${encodeURIComponent(user_id)}${more}`);
  const ownersIn = ({ sessions }: Sessions) => sessions.map(({ owner }) => owner);

  beforeAll(async () => {
    service = await TestService.shared();
    agent = await Caller.of(service, 'agent', { sub: named('agent') });
    auditor = await Caller.of(service, 'auditor', { sub: named('auditor') });
    await say(agent, first, ada);
    await say(agent, shared, bob);
    await say(agent, shared, ada);
    await say(agent, first, ada);
    await agent.post('memory/recall', {
      ...{ assistant: 'second', session_id: last, user_id: ada, query: 'tea', trace: true },
      memory: { short_term: 4, semantic: true, profile: true },
    });
  });
  afterAll(async () => {
    await service?.stop();
  });

  it('are listed newest first, each once, also one that several users share and one with a recall alone', async () => {
    const { sessions, next_cursor } = await sessionsOf(auditor, ada);
    expect(next_cursor).toBeNull();
    expect(sessions.map(({ owner, assistant }) => [owner, assistant])).toStrictEqual([
      [last, 'second'],
      [shared, 'helper'],
      [first.replaceAll(/[\s:]/g, '_'), 'helper'],
    ]);
    expect(ownersIn(await sessionsOf(auditor, bob))).toStrictEqual([shared]);
    // A user is the same one in each way in which ids are written.
    const other = ada.toLowerCase().replace('user_', '');
    expect(await sessionsOf(auditor, other)).toMatchObject({ sessions });
    for (const { owner } of sessions)
      await auditor.get(`memory/session/${encodeURIComponent(owner)}/turns`);
  });

  it('are listed as they were at a position', async () => {
    const { sessions } = await sessionsOf(auditor, ada);
    for (const [index, { position }] of sessions.entries())
      expect(await sessionsOf(auditor, ada, `&at=${position}`)).toMatchObject({
        sessions: sessions.slice(index),
      });
  });

  it('come in pages', async () => {
    const { sessions } = await sessionsOf(auditor, ada);
    const page = await sessionsOf(auditor, ada, '&limit=2');
    expect(page.sessions).toStrictEqual(sessions.slice(0, 2));
    const rest = await sessionsOf(auditor, ada, `&limit=2&cursor=${page.next_cursor}`);
    expect(rest).toStrictEqual({ sessions: sessions.slice(2), next_cursor: null });
  });

  it('are listed to an agent only if they are its own, and not to the user', async () => {
    expect((await sessionsOf(agent, ada)).sessions).toHaveLength(3);
    const stranger = await Caller.of(service, 'agent', { sub: named('stranger') });
    expect((await sessionsOf(stranger, ada)).sessions).toStrictEqual([]);
    const user = await Caller.of(service, 'user', { sub: ada });
    await user.refused('PERMISSION_DENIED', 'GET', `memory/sessions?user_id=${ada}`);
  });
});
