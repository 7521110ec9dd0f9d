import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import {
  authorisationPage,
  reachOf,
  type RouteEntry,
  routeTable,
} from '#apps/api/platform/auth/route-table.js';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { ERROR_TABLE, type ErrorCode } from '#domain/errors/error-table.js';
import { auditStream } from '#domain/stream-names.js';
import { ROLES, type Role } from '#platform/auth/roles.js';
import { previewedApp } from '#test/support/previewed-app.js';
import { LogReader } from '#test/support/read-log.js';
import { type Example, type Owned, ROUTE_EXAMPLES } from '#test/support/route-examples.js';
import { SampleCapability } from '#test/support/sample-capability.js';
import { TestService } from '#test/support/service.js';
import { type Answered } from '#test/support/service-client.js';
import { TokenIssuer, unsigned } from '#test/support/token-issuer.js';

const PAGE = fileURLToPath(new URL('../../docs/authorisation.md', import.meta.url));
const table = routeTable(await previewedApp());
// An answer to HEAD has no body that names its error.
const guarded = table.filter(({ isPublic, method }) => !isPublic && method !== 'HEAD');
const nameOf = ({ method, path }: RouteEntry): string => `${method} ${path}`;

type Answer = Answered<ErrorEnvelope>;

interface Caller {
  readonly sub: string;
  readonly user_id?: string;
}

/** A request to a route, and what is special about its caller. */
interface Case {
  readonly route: RouteEntry;
  readonly case: string;
  readonly ask: () => Promise<Answer>;
}

const OWNER: Caller = { sub: 'owner', user_id: 'ada' };

describe('The table of routes and roles', () => {
  it('every route declares the roles that may call it, or that it needs no token', () => {
    expect(guarded.filter(({ roles }) => roles === undefined).map(nameOf)).toStrictEqual([]);
  });

  it('this test has an example of every route', () => {
    expect(Object.keys(ROUTE_EXAMPLES).toSorted()).toStrictEqual(guarded.map(nameOf).toSorted());
  });

  it('a route that declares nothing is found', async () => {
    const undeclared = routeTable(await previewedApp([SampleCapability])).filter(
      ({ isPublic, roles }) => !isPublic && roles === undefined,
    );
    expect(undeclared.map(nameOf)).toStrictEqual(['GET /v1/sample/undeclared']);
  });

  it('docs/authorisation.md shows the table: npm run generate:client changes nothing', async () => {
    const options = { ...(await resolveConfig(PAGE)), filepath: PAGE };
    expect(await readFile(PAGE, 'utf8')).toBe(await format(authorisationPage(table), options));
  });
});

describe('Every route, called with every kind of token', () => {
  let issuer: TokenIssuer;
  let service: TestService;
  let log: LogReader;
  let owned: Owned;
  let subs = 0;

  beforeAll(async () => {
    issuer = await TokenIssuer.start();
    await issuer.addKey('key', 'RS256');
    service = await TestService.start({
      ownLog: true,
      more: [SampleCapability],
      environment: { ...issuer.environment, MACE_VERIFY_LOGS_MINUTES: '0' },
    });
    log = new LogReader(service.eventStore.url);
    owned = await ownedThings();
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
    issuer?.stop();
  });

  /** Returns a caller that has called nothing yet, and who is not the owner. */
  const stranger = (): Required<Caller> => {
    subs += 1;
    return { sub: `stranger-${subs}`, user_id: `bob${subs}` };
  };
  const signed = (roles: readonly string[], caller: Caller): Promise<string> =>
    issuer.sign('key', { ...caller, roles: [...roles] });

  function send<Body = ErrorEnvelope>(
    { method }: RouteEntry,
    { path, body, type }: Example,
    token: string | undefined,
  ): Promise<Answered<Body>> {
    return service.call<Body>(method, `/v1/${path}`, {
      ...(token === undefined ? {} : { token }),
      ...(body === undefined ? {} : { body }),
      ...(type === undefined ? {} : { headers: { 'content-type': type } }),
    });
  }
  function exampleOf(route: RouteEntry): Example {
    const example = ROUTE_EXAMPLES[nameOf(route)];
    if (example === undefined)
      throw new Error(`${nameOf(route)} has no example in test/support/route-examples.ts`);
    return example(owned);
  }
  /** Hundreds at once would wait longer for the read models than a read does. */
  const AT_ONCE = 20;
  /** Sends one request for each route and case, and returns what differs from `expected`. */
  async function differing(
    cases: readonly Case[],
    expected: (answer: Answer, route: RouteEntry) => boolean,
  ): Promise<string[]> {
    const answers: { route: RouteEntry; name: string; answer: Answer }[] = [];
    const waiting = [...cases];
    const askInTurn = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        answers.push({ route: next.route, name: next.case, answer: await next.ask() });
    };
    await Promise.all(Array.from({ length: AT_ONCE }, askInTurn));
    return answers
      .filter(({ answer, route }) => !expected(answer, route))
      .map(
        ({ route, name, answer: { status, body } }) =>
          `${nameOf(route)} for ${name}: ${status} ${JSON.stringify(body).slice(0, 300)}`,
      );
  }
  const isRefusal =
    (code: ErrorCode) =>
    ({ status, body, headers }: Answer): boolean =>
      status === ERROR_TABLE[code].status &&
      body.error_code === code &&
      body.user_message === ERROR_TABLE[code].user_message &&
      (headers.get('www-authenticate') === 'Bearer') === (code === 'UNAUTHENTICATED');
  const isDenied = isRefusal('PERMISSION_DENIED');
  const isNotFound = isRefusal('NOT_FOUND');

  async function did<Body = Record<string, string>>(
    token: string,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Body> {
    const options = { token, ...(body === undefined ? {} : { body }) };
    const answer = await service.call<Body>(method, `/v1/${path}`, options);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async function ownedThings(): Promise<Owned> {
    const [seed, session, marker] = ['marker-job', 'marker-session', 'marker'];
    const token = await signed(['agent'], OWNER);
    const job = await did<{ snapshots: { sem_snapshot_id: string } }>(token, 'POST', 'jobs', {
      job_seed: seed,
      session_id: session,
    });
    const { wm_id } = await did(token, 'POST', `jobs/${seed}/wm`, { type: 'hint', value: 'kept' });
    const { episodic_id } = await did(token, 'POST', `jobs/${seed}/episodes`, { summary: 'Seen' });
    const { request_id, proposal_hash } = await did(token, 'POST', 'action-requests', {
      episodic_id,
      target_sem_key: `user/profile/user_ada/${marker}`,
      value: 'a value',
      justification: 'It was said.',
    });
    const path = `sem/user/profile/user_ada/${marker}`;
    await did(token, 'PUT', path, { value: marker });
    const ended = `${seed}-ended`;
    await did(token, 'POST', 'jobs', { job_seed: ended });
    await did(token, 'POST', `jobs/${ended}/end`, {});
    const { reflective_logs: [own] = [] } = await did<{ reflective_logs: { log_id: string }[] }>(
      token,
      'GET',
      'reflective-logs',
    );
    const { consent_id } = await did(token, 'POST', 'consents', {
      text: `Keep it: ${marker}`,
      scope: 'persistent',
    });
    await did(token, 'PUT', 'notes', { namespace: [marker], key: marker, value: 1 });
    const remembered = await did<{ kept: { id: string }[] }>(token, 'POST', 'remember', {
      text: marker,
    });
    await did(token, 'POST', 'memory/interactions', {
      assistant: 'helper',
      session_id: session,
      memory: { short_term: 4, semantic: true, profile: true },
      user_text: 'I prefer tea.',
      ai_text: 'Noted.',
    });
    await did(token, 'PUT', 'threads/checkpoints', {
      thread_id: marker,
      checkpoint_id: 'example',
      checkpoint: { v: 4 },
      metadata: { step: 0 },
      channel_versions: {},
      channel_values: {},
    });
    return {
      seed,
      session,
      marker,
      user: 'ada',
      wm: String(wm_id),
      episode: String(episodic_id),
      request: String(request_id),
      proposal: String(proposal_hash),
      log: own?.log_id ?? '',
      consent: String(consent_id),
      snapshot: job.snapshots.sem_snapshot_id,
      memory: remembered.kept[0]?.id ?? '',
    };
  }

  it('a request without a valid token is UNAUTHENTICATED on every route, and appends nothing', async () => {
    const everything = { ...OWNER, roles: [...ROLES] };
    const now = Math.floor(Date.now() / 1000);
    const valid = await issuer.sign('key', everything);
    const [head, , signature] = valid.split('.');
    const [, others] = unsigned({ sub: 'owner', roles: ['admin'] }).split('.');
    const pem = await issuer.publicKeyOf('key');
    await issuer.addKey('private', 'RS256', { isPublished: false });
    const tokens: Readonly<Record<string, string | undefined>> = {
      'no token': undefined,
      'an expired token': await issuer.sign('key', { ...everything, exp: now - 60 }),
      'a tampered token': `${head}.${others}.${signature}`,
      'another audience': await issuer.sign('key', { ...everything, aud: 'https://another.test' }),
      'another issuer': await issuer.sign('key', { ...everything, iss: 'https://another.test' }),
      'the algorithm none': unsigned(everything),
      'a signature with the public key as a secret': await issuer.forge('key', pem, everything),
      'a key that is not published': await issuer.sign('private', everything),
    };
    const before = await log.position();
    const wrong = await differing(
      guarded.flatMap((route) =>
        Object.entries(tokens).map(([name, token]) => ({
          route,
          case: name,
          ask: () => send(route, exampleOf(route), token),
        })),
      ),
      isRefusal('UNAUTHENTICATED'),
    );
    expect(wrong).toStrictEqual([]);
    expect(await log.since(before)).toStrictEqual([]);
  });

  it('a role that a route does not name is PERMISSION_DENIED, and only the audit event of a command is appended', async () => {
    const before = await log.position();
    const cases = await Promise.all(
      guarded.flatMap((route) =>
        [...ROLES, 'king', undefined]
          .filter((role) => reachOf(route.roles, role as Role) === undefined)
          .map(async (role) => {
            const { sub, user_id } = stranger();
            const caller = role === undefined ? { sub } : { sub, user_id };
            const token = await signed(role === undefined ? [] : [role], caller);
            return {
              route,
              case: String(role),
              sub,
              ask: () => send(route, exampleOf(route), token),
            };
          }),
      ),
    );
    expect(await differing(cases, isDenied)).toStrictEqual([]);
    const expected = cases
      .filter(({ route: { method } }) => method !== 'GET')
      .map(({ sub }) => [auditStream(sub), 'command_refused', 'PERMISSION_DENIED']);
    const appendedUntilNow = async () =>
      (await log.since(before)).map(({ stream, type, data }) => [
        stream,
        type,
        (data as { code: string }).code,
      ]);
    let appended = await appendedUntilNow();
    // An answer waits only briefly for its audit event.
    while (appended.length < expected.length) appended = await appendedUntilNow();
    expect(appended.toSorted()).toStrictEqual(expected.toSorted());
  });

  /** Returns a request to each route by each role that reaches `reach` there. */
  const reaching = (
    reach: 'own' | 'all',
    callerOf: () => Caller,
    roles: readonly Role[] = ROLES,
  ): Promise<Case[]> =>
    Promise.all(
      guarded.flatMap((route) =>
        roles
          .filter((role) => reachOf(route.roles, role) === reach)
          .map(async (role) => {
            const token = await signed([role], callerOf());
            return { route, case: role, ask: () => send(route, exampleOf(route), token) };
          }),
      ),
    );
  const shows = ({ body }: Answer): boolean => JSON.stringify(body).includes(owned.marker);
  const isAllowed = (answer: Answer, route: RouteEntry): boolean =>
    answer.status < 500 &&
    ![401, 403].includes(answer.status) &&
    answer.body.error_code !== 'INVALID_INPUT' &&
    (exampleOf(route).isList !== true || shows(answer));
  const isWithheld = (answer: Answer, route: RouteEntry): boolean => {
    const { isList, isHidden, isPrivate } = exampleOf(route);
    if (isPrivate === true) return answer.status < 300 && !shows(answer);
    if (isList === true && answer.status === 200) return !shows(answer);
    return isHidden === true ? isNotFound(answer) || isDenied(answer) : isDenied(answer);
  };

  it('a role that reaches its own data gets nothing of another owner', async () => {
    expect(await differing(await reaching('own', stranger), isWithheld)).toStrictEqual([]);
  });

  it('a role that reaches the data of every owner is not refused, and its lists show them', async () => {
    expect(await differing(await reaching('all', stranger), isAllowed)).toStrictEqual([]);
  });

  it('a role that reaches its own data is not refused for it, and its lists show it', async () => {
    expect(await differing(await reaching('own', () => OWNER), isAllowed)).toStrictEqual([]);
  });

  it('an agent whose token has no user reaches every user that it names, and nothing that another sub owns', async () => {
    const cases = await reaching('own', () => ({ sub: stranger().sub }), ['agent']);
    const namesUser = cases.filter(({ route: { roles } }) => roles?.of === 'user');
    expect(namesUser.length).toBeGreaterThan(5);
    expect(await differing(namesUser, isAllowed)).toStrictEqual([]);
    const others = cases.filter(({ route: { roles } }) => roles?.of !== 'user');
    expect(await differing(others, isWithheld)).toStrictEqual([]);
  });

  it('a route that declares nothing refuses every caller', async () => {
    const token = await signed(ROLES, OWNER);
    const answer = await service.call('GET', '/v1/sample/undeclared', { token });
    expect(isDenied(answer)).toBe(true);
  });
});
