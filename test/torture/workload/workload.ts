import { setMaxListeners } from 'node:events';
import type { ServiceClient } from '#test/support/service-client.js';
import { TortureClient, type Workplace } from '../client.js';
import type { Journal } from '../journal.js';
import type { Random } from '../random.js';
import { ask } from './asker.js';
import { proposeAndVote } from './council-worker.js';
import { giveConsents, keepNotes, runGraphs, talk } from './document-workers.js';
import { writeFacts } from './fact-worker.js';
import { JobWorker, runJobs } from './job-worker.js';
import { converse } from './memory-worker.js';
import { race } from './racers.js';
import { audit, rebuild } from './readers.js';

const JOB_WORKERS = 6;
const SHARED_WORKERS = 5;
const FACT_WORKERS = 3;
const MEMORY_WORKERS = 4;
const DOCUMENT_WORKERS = 2;

const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index);

/** The clients of a round: agents, council members, chat assistants, racers, auditors and admins. */
export class Workload {
  private readonly closing = new AbortController();
  private readonly closed = new AbortController();
  private readonly place: Workplace;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    instances: readonly [ServiceClient, ServiceClient],
    private readonly journal: Journal,
    private readonly random: Random,
  ) {
    this.place = {
      ...{ instances, journal, closing: this.closing.signal, closed: this.closed.signal },
    };
  }

  start(): void {
    // Every client listens to these signals.
    setMaxListeners(0, this.closing.signal, this.closed.signal);
    this.running = Promise.all(this.workers());
    // `finish` reports the error of a worker.
    this.running.catch(() => undefined);
  }

  /** Lets the clients finish what they have begun, or give it up after `patienceMs`. */
  async finish(patienceMs: number): Promise<void> {
    this.closing.abort();
    const timer = setTimeout(() => this.closed.abort(), patienceMs);
    await this.running;
    clearTimeout(timer);
  }

  private workers(): Promise<void>[] {
    const { random, journal } = this;
    const part = (name: string): [Random, string] => [random.of(name), name];
    return [
      ...numbers(JOB_WORKERS).map(async (index) => {
        const [own, name] = part(`agent-${index}`);
        const client = await this.client(own, 'agent', name);
        const session = index % 2 === 0 ? `session-of-${name}` : undefined;
        await runJobs({ client, random: own, journal, session });
      }),
      this.shareOneJob(),
      ...numbers(FACT_WORKERS).map(async (index) => {
        const [own, name] = part(`writer_${index}`);
        await writeFacts(await this.client(own, 'admin', name), own, journal, name);
      }),
      ...numbers(MEMORY_WORKERS).map(async (index) => {
        const [own, name] = part(`assistant-${index}`);
        const client = await TortureClient.of(this.place, own, 'agent', {
          ...{ sub: name, user_id: name },
        });
        await converse(client, own, journal, name);
      }),
      ...[keepNotes, talk, runGraphs].flatMap((work) =>
        numbers(DOCUMENT_WORKERS).map(async (index) => {
          const [own, name] = part(`${work.name}-${index}`);
          await work(await this.client(own, 'agent', name), own, journal);
        }),
      ),
      this.shareOneConversation(),
      (async () => {
        const [own, name] = part('consenting');
        const client = await TortureClient.of(this.place, own, 'user', {
          ...{ sub: name, user_id: name },
        });
        await giveConsents(client, own, journal);
      })(),
      (async () => {
        const [own] = part('council');
        await proposeAndVote(
          await this.client(own.of('proposer'), 'agent', 'proposer'),
          [
            await this.client(own.of('member-1'), 'council', 'member-1'),
            await this.client(own.of('member-2'), 'council', 'member-2'),
          ],
          own,
          journal,
        );
      })(),
      ...['asker-1', 'asker-2'].map(async (name) => {
        const [own] = part(name);
        await ask(await this.client(own, 'agent', name), own, journal);
      }),
      ...['racer-1', 'racer-2'].map(async (name) => race(this.place, ...part(name))),
      (async () => {
        const [own, name] = part('auditor');
        await audit(await this.client(own, 'auditor', name), own);
      })(),
      (async () => {
        const [own, name] = part('admin');
        await rebuild(await this.client(own, 'admin', name), own);
      })(),
    ];
  }

  /** Several clients of one agent change the same job, on both instances. */
  private async shareOneJob(): Promise<void> {
    const random = this.random.of('shared');
    const first = await this.client(random, 'agent', 'sharing');
    const job = await first.write({ kind: 'start', adds: { job_started: 1 } }, (mace, o) =>
      mace.jobs.start({ goal: 'shared' }, o),
    );
    if (job === undefined) return;
    await Promise.all(
      numbers(SHARED_WORKERS).map(async (index) => {
        const own = random.of(`${index}`);
        const client = await this.client(own, 'agent', 'sharing');
        const { journal } = this;
        const worker = new JobWorker(
          { client, random: own, journal, session: undefined },
          job.job_seed,
        );
        while (!client.isClosing) {
          await worker.step();
          await client.pause(50, 400);
        }
      }),
    );
  }

  /** Several clients of one agent append to one conversation, on both instances. */
  private async shareOneConversation(): Promise<void> {
    const random = this.random.of('conversation');
    await Promise.all(
      numbers(SHARED_WORKERS).map(async (index) => {
        const own = random.of(`${index}`);
        const client = await this.client(own, 'agent', 'sharing');
        for (let said = 0; !client.isClosing; said += 1) {
          await client.write(
            { kind: 'append', adds: { conversation_items_appended: 1 } },
            (mace, o) => mace.conversation('shared').append([{ by: index, said }], o),
          );
          await client.pause(50, 400);
        }
      }),
    );
  }

  private client(
    random: Random,
    role: 'agent' | 'admin' | 'auditor' | 'council',
    sub: string,
  ): Promise<TortureClient> {
    return TortureClient.of(this.place, random.of('client'), role, { sub });
  }
}
