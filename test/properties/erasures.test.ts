import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keyedCommandId } from '#domain/determinism/command-identity.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { sha256Hex } from '#domain/determinism/hash.js';
import { keyIdOf, partsOfKeyId } from '#domain/privacy/key-id.js';
import { sealedIn } from '#domain/privacy/sealed-in.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { AppendGate } from '#test/faults/support/append-gate.js';
import { until } from '#test/faults/support/until.js';
import { Caller } from '#test/support/caller.js';
import {
  askedErasure,
  DataSubject,
  decided,
  EMAIL,
  execution,
  type Receipt,
} from '#test/support/data-subject.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { startOwnEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { tries } from '#test/support/tries.js';

/** Two instances of the service. Every write that is held or lost is one of `late`. */
let servers: { eventStore: TestServer; postgres: TestServer };
let here: TestService;
let late: TestService;
let log: LogReader;
const hereGate = new AppendGate();
const lateGate = new AppendGate();

beforeAll(async () => {
  servers = { eventStore: await startOwnEventStore(), postgres: await startTestPostgres() };
  here = await TestService.start({ servers, more: [hereGate.module] });
  late = await TestService.start({ servers, more: [lateGate.module] });
  for (const service of [here, late]) await service.caughtUp();
  log = new LogReader(servers.eventStore.url);
});
afterAll(async () => {
  await log?.close();
  await late?.stop();
  await here?.stop();
  await servers?.postgres.stop();
  await servers?.eventStore.stop();
});

const KINDS = ['wm', 'fact', 'note', 'item', 'checkpoint', 'episode'] as const;
/** The codes of a write that was sealed too late, and of one whose process has died. */
const REFUSALS = ['MEMORY_WRITE_FAIL', 'SEM_WRITE_FAIL', 'INTERNAL'];
type Kind = (typeof KINDS)[number];
/** A later value of these kinds takes the place of the one before. */
const REPLACED: readonly Kind[] = ['fact', 'note'];

interface Write {
  readonly kind: Kind;
  readonly place: number;
  readonly text: string;
  readonly as: 'user' | 'agent';
  readonly method: string;
  readonly path: string;
  readonly body: object;
  /** The Idempotency-Key, and the command that it makes. */
  readonly key: string;
  readonly command_id: string;
  /** True if the caller does not send the write again, whatever the answer. */
  readonly isGivenUp: boolean;
  /** The first answer that acknowledged the write. */
  answer?: Record<string, string>;
}

/** Of each kind of value, a person has two places. */
const place = fc.nat(1);
const kind = fc.constantFrom(...KINDS);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('write' as const), kind, place, there: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('lose' as const),
      kind,
      place,
      isGivenUp: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('hold' as const),
      kind,
      place,
      dies: fc.boolean(),
      isGivenUp: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), which: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('retry' as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('repeat' as const), which: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('order' as const), dies: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('finish' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

let people = 0;
let values = 0;

/** One person's writes and erasures. */
class Story {
  readonly writes: Write[] = [];
  readonly receipts: Receipt[] = [];
  private held: { readonly write: Write; readonly release: () => Promise<void> }[] = [];
  private finish: (() => Promise<void>) | undefined;
  /** The positions of the ends of the log at which this person's erasures were asked for. */
  private readonly asked: bigint[] = [];

  private constructor(
    private readonly person: DataSubject,
    private readonly callers: ReadonlyMap<TestService, Record<'user' | 'agent', Caller>>,
  ) {}

  static async of(): Promise<Story> {
    const person = await DataSubject.of(here, `story-${(people += 1)}`);
    const { user_id, job_seed, agent } = person;
    for (const at of [0, 1]) await agent.post('jobs', { job_seed: `${job_seed}-${at}` });
    const callers = new Map<TestService, Record<'user' | 'agent', Caller>>();
    for (const service of [here, late])
      callers.set(service, {
        user: await Caller.of(service, 'user', { sub: user_id }),
        agent: await Caller.of(service, 'agent', { user_id }),
      });
    return new Story(person, callers);
  }

  async take(one: Step): Promise<void> {
    switch (one.do) {
      case 'write': {
        const isBusy = this.held.some(({ write }) => isSamePlace(write, one));
        await this.send(this.made(one.kind, one.place), one.there && !isBusy ? late : here);
        return;
      }
      case 'lose':
      case 'hold': {
        // A write to the same place would wait for the one that is held.
        if (this.held.some(({ write }) => isSamePlace(write, one))) return;
        await this.hold(
          this.made(one.kind, one.place, one.isGivenUp),
          one.do === 'lose' || one.dies,
        );
        if (one.do === 'lose') await this.held.pop()?.release();
        return;
      }
      case 'release':
        await this.held.splice(one.which % (this.held.length || 1), 1)[0]?.release();
        return;
      case 'retry':
      case 'repeat': {
        const isRetry = one.do === 'retry';
        const some = this.writes.filter(
          (write) =>
            (write.answer === undefined) === isRetry &&
            !(isRetry && write.isGivenUp) &&
            !this.held.some((held) => held.write === write),
        );
        const write = some[one.which % some.length];
        if (write !== undefined) await this.send(write, here);
        return;
      }
      case 'order':
        if (this.finish === undefined) await this.order(one.dies);
        return;
      case 'finish':
        await this.finish?.();
    }
  }

  /** Ends what is under way, and sends every write again that was not acknowledged. */
  async end(): Promise<void> {
    for (const { release } of this.held.splice(0)) await release();
    await this.finish?.();
    for (const write of this.writes.filter(({ isGivenUp }) => !isGivenUp))
      await until(`${write.kind} ${write.key} is acknowledged`, async () => {
        if (write.answer === undefined) await this.send(write, here);
        return write.answer !== undefined;
      });
  }

  private made(what: Kind, at: number, isGivenUp = false): Write {
    const { person } = this;
    const text = `value${(values += 1)}.${EMAIL}`;
    const id = `${what}-${values}`;
    const parts = ((): Pick<Write, 'as' | 'method' | 'path' | 'body'> => {
      switch (what) {
        case 'wm':
          return {
            ...{ as: 'agent', method: 'POST', path: `jobs/${person.job_seed}-${at}/wm` },
            body: { type: 'fact', value: text },
          };
        case 'episode':
          return {
            ...{ as: 'agent', method: 'POST', path: `jobs/${person.job_seed}-${at}/episodes` },
            body: { summary: 'Said.', payload: { mail: text } },
          };
        case 'fact':
          return {
            ...{ as: 'user', method: 'PUT', path: `sem/${person.key}_${at}` },
            body: { value: text },
          };
        case 'note':
          return {
            ...{ as: 'agent', method: 'PUT', path: 'notes' },
            body: { namespace: [person.user_id], key: `n${at}`, value: text },
          };
        case 'item':
          return {
            ...{ as: 'agent', method: 'POST', path: `conversations/${person.user_id}-${at}/items` },
            body: { items: [{ role: 'user', content: text }] },
          };
        case 'checkpoint':
          return {
            ...{ as: 'agent', method: 'PUT', path: 'threads/checkpoints' },
            body: {
              ...{ thread_id: `${person.user_id}-${at}`, checkpoint_id: id, checkpoint: { v: 1 } },
              metadata: { source: 'loop' },
              channel_versions: { messages: values },
              channel_values: { messages: [text] },
            },
          };
      }
    })();
    const sub = parts.as === 'user' ? person.user_id : named('agent');
    const author = { sub, user_id: person.user_id };
    const command_id = keyedCommandId(author, `${parts.method} /v1/${parts.path}`, id);
    const write: Write = { kind: what, place: at, text, key: id, command_id, isGivenUp, ...parts };
    this.writes.push(write);
    return write;
  }

  private async send(write: Write, service: TestService): Promise<void> {
    const { as, method, path, body, key } = write;
    const caller = this.callers.get(service)![as];
    const { status, body: answer } = await caller.ask(method, path, { body, key });
    if (status < 300) {
      const acknowledged = answer as unknown as Record<string, string>;
      if (write.answer !== undefined) expect(acknowledged).toStrictEqual(write.answer);
      write.answer ??= acknowledged;
      return;
    }
    const { error_code } = answer;
    expect([key, status, REFUSALS.includes(error_code) ? '' : error_code]).toStrictEqual([
      ...[key, 500],
      '',
    ]);
    expect([key, write.answer]).toStrictEqual([key, undefined]);
  }

  private async hold(write: Write, dies: boolean): Promise<void> {
    const held = lateGate.next(
      (stream, events) =>
        !stream.startsWith('command-') &&
        events.some(({ metadata }) => metadata.command_id === write.command_id),
      { dies },
    );
    const sent = this.send(write, late);
    await Promise.race([held.arrived, sent]);
    this.held.push({
      write,
      release: () => {
        held.release();
        return sent;
      },
    });
  }

  /** Orders an erasure, which goes on until its deletion_event. @param dies true if the order gets no answer */
  private async order(dies: boolean): Promise<void> {
    const { person } = this;
    const request = await askedErasure(person.user, person.subject);
    await decided(await Caller.of(here, 'council'), request);
    const stream = `request-${request.request_id}`;
    const isOf = (type: string) => (of: string, events: readonly { readonly type: string }[]) =>
      of === stream && events.some((event) => event.type === type);
    const deletion = hereGate.next(isOf('deletion_event'));
    if (dies) hereGate.next(isOf('erasure_ordered'), { dies }).release();
    const admin = await Caller.of(here, 'admin');
    const receipt = async (): Promise<Receipt> => {
      for (;;) {
        const { status, body } = await admin.ask('POST', execution(request), { body: {} });
        if (status < 300) return body as unknown as Receipt;
        expect([dies, body.error_code]).toStrictEqual([true, 'INTERNAL']);
      }
    };
    this.asked.push((await log.position()) ?? 0n);
    const received = receipt();
    received.catch(() => undefined);
    await until('the order is in the log', async () =>
      (await log.types(stream)).includes('erasure_ordered'),
    );
    this.finish = async () => {
      this.finish = undefined;
      deletion.release();
      this.receipts.push(await received);
    };
  }

  /** Checks the laws, once nothing is under way. @param events the whole log */
  async check(events: readonly LoggedEvent[]): Promise<void> {
    const { subject } = this.person;
    const sealed = events.flatMap((event) => {
      const kids = [...new Set(sealedIn(event).map(keyIdOf))];
      return kids.some((kid) => partsOfKeyId(kid).subject === subject) ? [{ event, kids }] : [];
    });
    const orders = events.filter(
      ({ type, stream }) =>
        type === 'erasure_ordered' &&
        this.receipts.some((receipt) => receipt.event.stream === stream),
    );
    const orderOf = (kid: string) =>
      orders.find(({ data }) => (data['kids'] as readonly string[]).includes(kid));

    for (const { destroyed_keys, manifest, event } of this.receipts) {
      const order = orders.find(({ stream }) => stream === event.stream);
      const lines = sealed.flatMap(({ kids, event: { stream, number, position, metadata } }) =>
        position < order!.position && kids.some((kid) => destroyed_keys.includes(kid))
          ? [`${canonicalJson([stream, number, metadata.hash])}\n`]
          : [],
      );
      expect(manifest).toMatchObject({ events: lines.length, hash: sha256Hex(lines.join('')) });
    }
    // An erasure, or one before it, has destroyed the keys of all that was in the log when it was asked for.
    const asked = this.asked.at(-1);
    for (const { event, kids } of sealed)
      if (asked !== undefined && event.position <= asked)
        for (const kid of kids)
          expect([event.stream, kid, orderOf(kid)?.type]).toStrictEqual([
            event.stream,
            kid,
            'erasure_ordered',
          ]);

    const isDead = (one: (typeof sealed)[number]) =>
      one.kids.some((kid) => (orderOf(kid)?.position ?? one.event.position) < one.event.position);
    const after = String(await log.position());
    for (const write of this.writes) {
      const own = sealed.filter(({ event }) => event.metadata.command_id === write.command_id);
      const last = own.at(-1);
      if (write.answer !== undefined)
        expect([write.key, last && isDead(last)]).toStrictEqual([write.key, false]);
      if (last === undefined) continue;
      const inPlace = sealed.filter(
        (one) =>
          one.event.stream === last.event.stream &&
          one.event.data['superseded'] !== true &&
          !isDead(one),
      );
      const isReplaced = REPLACED.includes(write.kind) && inPlace.at(-1) !== last;
      const isErased = last.kids.some((kid) => orderOf(kid) !== undefined);
      const shown = JSON.stringify(await this.read(write, last.event, after));
      expect([write.key, shown, shown.includes(write.text)]).toStrictEqual([
        write.key,
        shown,
        !isReplaced && !isErased,
      ]);
    }
  }

  /** Returns what the owner reads in the place of a write; of an episode, what an admin reads who may see it whole. */
  private async read(
    { kind: what, path, place: at, body }: Write,
    { data }: LoggedEvent,
    after: string,
  ) {
    const { user, agent } = this.callers.get(here)!;
    const { user_id, job_seed } = this.person;
    switch (what) {
      case 'wm':
        return agent.get(`jobs/${job_seed}-${at}`, { after });
      case 'episode': {
        const admin = await Caller.of(here, 'admin');
        const seen = `episodes/${data['episodic_id'] as string}?unredacted=true`;
        return admin.get(seen, { after, reason: 'A test.' });
      }
      case 'fact':
        return user.get(path, { after });
      case 'note':
        return agent.get(`notes?namespace=${user_id}&key=n${at}`, { after });
      case 'item':
        return agent.get(path, { after });
      case 'checkpoint': {
        const { thread_id, checkpoint_id } = body as Record<string, string>;
        const query = new URLSearchParams({ thread_id: thread_id!, checkpoint_id: checkpoint_id! });
        return agent.get(`threads/checkpoints?${query.toString()}`, { after });
      }
    }
  }
}

const isSamePlace = (
  write: Write,
  other: { readonly kind: Kind; readonly place: number },
): boolean => streamKindOf(write.kind) === streamKindOf(other.kind) && write.place === other.place;

/** Entries of WM and episodes are in the stream of the same job. */
const streamKindOf = (what: Kind): Kind => (what === 'episode' ? 'wm' : what);

/** A write that is sealed before an erasure and lands on one that was sealed after it. Its caller gives it up. */
const OVERTAKEN = (what: Kind): Step[] => {
  const there = { kind: what, place: 0 };
  return [
    { do: 'write', ...there, there: false },
    { do: 'hold', ...there, dies: false, isGivenUp: true },
    { do: 'order', dies: false },
    { do: 'finish' },
    { do: 'write', ...there, there: false },
    { do: 'release', which: 0 },
  ];
};

/** How many people's stories run at once: each erasure waits for a second. */
const AT_ONCE = 4;

test('P5 G6 an acknowledged write is read by its owner until an erasure that is ordered later, in any order of writes, erasures, crashes and retries', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 6, maxLength: 14 }), {
        minLength: AT_ONCE,
        maxLength: AT_ONCE,
      }),
      async (scripts) => {
        const begun: Story[] = [];
        for (const _ of scripts) begun.push(await Story.of());
        const stories = await Promise.all(
          scripts.map(async (script, place) => {
            const story = begun[place]!;
            for (const one of script) await story.take(one);
            await story.end();
            return story;
          }),
        );
        const events = await log.since(undefined);
        for (const story of stories) await story.check(events);
      },
    ),
    {
      numRuns: tries(10),
      endOnFailure: true,
      examples: [[[OVERTAKEN('note'), OVERTAKEN('fact'), [], []]]],
    },
  );
});
