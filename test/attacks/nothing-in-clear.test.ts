import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { runningServers } from '#embedded/index.js';
import { Caller } from '#test/support/caller.js';
import { type ServiceClient } from '#test/support/service-client.js';
import { ServiceProcess } from '#test/support/service-process.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { mace } from '#test/support/cli-run.js';
import { until } from '../faults/support/until.js';

/** Personal data of invented persons. Each value is written nowhere but where the test gives it to the service. */
const RECORDED = {
  mail: 'yusuf.oberholtzer7311@quillmail.test',
  birth: '1969-04-17',
  street: '4471 Heronsgate Avenue',
  card: 'credit_card_4421486',
  told: 'yusuf.second9183@quillmail.test',
  moved: '9025 Larkmoor Terrace',
  charged: 'credit_card_7730915',
};
const WRITTEN = {
  goal: 'goal.brandvold4410@quillmail.test',
  episode: 'episode.brandvold5521@quillmail.test',
  payload: '4539 1488 0343 6467',
  wm: 'wm.brandvold6632@quillmail.test',
  fact: 'fact.brandvold7743@quillmail.test',
  proposed: 'proposed.brandvold8854@quillmail.test',
  reason: 'reason.brandvold9965@quillmail.test',
  vote: 'vote.brandvold1076@quillmail.test',
  refused: 'refused.brandvold2187@quillmail.test',
  consent: 'consent.brandvold3298@quillmail.test',
  turn: 'turn.brandvold4309@quillmail.test',
  asked: 'asked.brandvold5410@quillmail.test',
  query: 'query.brandvold6521@quillmail.test',
  note: 'note.brandvold8743@quillmail.test',
  named: 'named.brandvold9854@quillmail.test',
  item: 'item.brandvold2365@quillmail.test',
  replaced: 'replaced.brandvold3476@quillmail.test',
  chat: 'chat.brandvold4587@quillmail.test',
  queued: 'queued.brandvold7632@quillmail.test',
};
/** A value of the recording that is not personal, so it is stored in clear: the search must find it. */
const HARMLESS = 'Kettlewick-7Q2';
const VALUES = [...Object.values(RECORDED), ...Object.values(WRITTEN)];

const RECORDING = {
  job_seed: 'recorded-run',
  task_id: 3,
  messages: [
    { role: 'system', content: 'You help customers of an airline.' },
    { role: 'user', content: `Hello, my e-mail address is ${RECORDED.told}, book a flight.` },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'call-1',
          type: 'function',
          function: { name: 'get_user_details', arguments: '{"user_id":"yusuf_o"}' },
        },
      ],
    },
    {
      role: 'tool',
      name: 'get_user_details',
      tool_call_id: 'call-1',
      content: JSON.stringify({
        email: RECORDED.mail,
        dob: RECORDED.birth,
        address: { address1: RECORDED.street, city: 'Denver', country: 'USA' },
        payment_methods: {
          [RECORDED.card]: { source: 'credit_card', brand: 'visa', id: RECORDED.card },
        },
        membership: 'gold',
      }),
    },
    { role: 'user', content: `I live at ${RECORDED.moved} now. Pay with ${RECORDED.charged}.` },
    {
      role: 'assistant',
      content: `I charge ${RECORDED.charged} and send the receipt to ${RECORDED.mail}.`,
      tool_calls: [
        {
          id: 'call-2',
          type: 'function',
          function: {
            name: 'book_flight',
            arguments: JSON.stringify({ payment_id: RECORDED.charged, email: RECORDED.mail }),
          },
        },
      ],
    },
    {
      role: 'tool',
      name: 'book_flight',
      tool_call_id: 'call-2',
      content: JSON.stringify({
        reservation: HARMLESS,
        payment_history: [{ payment_id: RECORDED.charged, amount: 120 }],
        contact: { email: RECORDED.mail, street: RECORDED.street },
      }),
    },
    { role: 'assistant', content: `Booked for ${RECORDED.mail}.` },
  ],
};

describe('Personal data in clear (SPEC P3, P5)', () => {
  const folder = temporaryFolder('nothing-in-clear');
  const dataDir = join(folder.path, 'data');
  let service: ServiceProcess;
  let output = '';
  let contact: string;
  const seeds = ['recorded-run', 'written-run'];

  const spawned = async (environment: Record<string, string> = {}): Promise<ServiceClient> => {
    service = ServiceProcess.spawn(dataDir, { MACE_LOG_LEVEL: 'trace', ...environment });
    return service.ready();
  };
  const environmentOf = (client: ServiceClient) => ({
    MACE_DATA_DIR: dataDir,
    PORT: new URL(client.url).port,
  });
  const ended = async (): Promise<void> => {
    await service.stop();
    output += service.stdout + service.stderr;
  };

  async function imported(client: ServiceClient): Promise<void> {
    const path = join(folder.path, 'runs.jsonl');
    writeFileSync(path, JSON.stringify(RECORDING));
    const { code, stdout, stderr } = await mace(['import', path], environmentOf(client));
    expect([stderr, code]).toStrictEqual([stderr, 0]);
    output += stdout + stderr;
  }

  /** Returns the path of the fact of a user who has given consent. */
  async function written(client: ServiceClient): Promise<string> {
    const user_id = 'brandvold';
    const user = await Caller.of(client, 'user', { sub: user_id });
    const agent = await Caller.of(client, 'agent', { user_id });
    const council = await Caller.of(client, 'council');
    const job_seed = 'written-run';
    const key = (attribute: string) => ({ scope: 'user', entity_type: 'profile', attribute });
    const pathOf = async (attribute: string): Promise<string> =>
      `sem/${(await user.post<{ key: string }>('sem-keys', { ...key(attribute), user_id })).key}`;
    const contact = await pathOf('contact');
    await user.refused('PRIVACY_BLOCKED', 'PUT', contact, { body: { value: WRITTEN.refused } });
    await user.post('consents', { text: `Write to ${WRITTEN.consent}`, scope: 'persistent' });
    await user.did('PUT', contact, { body: { value: WRITTEN.fact } });
    await agent.post('jobs', { job_seed, goal: `Ask ${WRITTEN.goal}` });
    await agent.post(`jobs/${job_seed}/wm`, { type: 'fact', value: { contact: WRITTEN.wm } });
    const { episodic_id } = await agent.post<{ episodic_id: string }>(`jobs/${job_seed}/episodes`, {
      summary: `Wrote to ${WRITTEN.episode}`,
      payload: { card: WRITTEN.payload },
    });
    const { request_id, proposal_hash } = await agent.post<Record<string, string>>(
      'action-requests',
      {
        ...{ episodic_id, target_sem_key: contact.slice('sem/'.length) },
        ...{ value: WRITTEN.proposed, justification: `The user gave ${WRITTEN.reason}.` },
      },
    );
    await council.post(`action-requests/${request_id}/votes`, {
      ...{ vote: 'approve', reason: `I asked ${WRITTEN.vote}.`, proposal_hash },
    });
    const note = { namespace: ['people', WRITTEN.named], key: WRITTEN.named, value: WRITTEN.note };
    await agent.did('PUT', 'notes', { body: note });
    const query = `?namespace=people&namespace=${WRITTEN.named}&key=${WRITTEN.named}`;
    await agent.get(`notes${query}`);
    await agent.refused('NOT_FOUND', 'GET', `notes${query}.none`);
    await agent.refused('VERSION_CONFLICT', 'DELETE', `notes${query}&if_version=7`);
    await agent.refused('INVALID_INPUT', 'GET', `notes${query}&none=1`);
    await agent.post('conversations/chat/items', { items: [{ content: WRITTEN.item }, 'second'] });
    const replacement = { operation_id: 'op-1', from: 1, items: [[WRITTEN.replaced]] };
    await agent.post('conversations/chat/transactions', replacement);
    await agent.post('conversations/chat/pop');
    await agent.refused('PRIVACY_BLOCKED', 'POST', `conversations/${WRITTEN.chat}/pop`);
    await agent.post('episodes/query', { query_terms: WRITTEN.query });
    const memory = { short_term: 20, semantic: true, profile: true };
    const turn = { assistant: 'helper', session_id: 'talk', user_id, memory };
    const user_text = `Remember my mail ${WRITTEN.turn}.`;
    await agent.post('memory/interactions', { ...turn, user_text, ai_text: 'Noted.' });
    await agent.post('memory/recall', { ...turn, query: WRITTEN.asked });
    await agent.post(`jobs/${job_seed}/end`);
    return contact;
  }

  function inFiles(values: readonly string[] = VALUES): string[] {
    const hits: string[] = [];
    for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const bytes = readFileSync(path);
      for (const value of values) if (bytes.includes(value)) hits.push(`${value} in ${path}`);
    }
    return hits;
  }

  /** Returns every row of every table as text. */
  async function dumped(): Promise<string> {
    const { postgresUrl } = await runningServers(dataDir);
    const client = new pg.Client({ connectionString: postgresUrl });
    await client.connect();
    try {
      const { rows: tables } = await client.query<{ name: string }>(
        `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
          where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
      );
      let dump = '';
      for (const { name } of tables) {
        const { rows } = await client.query<{ row: string }>(
          `select one::text as row from ${name} as one`,
        );
        dump += `${name}\n${rows.map(({ row }) => row).join('\n')}\n`;
      }
      return dump;
    } finally {
      await client.end();
    }
  }

  const inText = (text: string): string[] => {
    const hex = (value: string): string => Buffer.from(value).toString('hex');
    return VALUES.filter((value) => text.includes(value) || text.includes(hex(value)));
  };

  beforeAll(async () => {
    let client = await spawned();
    await imported(client);
    contact = await written(client);
    await ended();
    // With a full log, a write waits in the queue.
    client = await spawned({ MACE_EVENTSTORE_QUOTA_BYTES: '0' });
    const user = await Caller.of(client, 'user', { sub: 'brandvold' });
    await user.refused('STORAGE_FULL', 'PUT', contact, {
      ...{ body: { value: WRITTEN.queued }, key: 'queued' },
    });
  });
  afterAll(async () => {
    await service?.stop();
    folder.remove();
  });

  it('is in no row of any table of Postgres', async () => {
    const dump = await dumped();
    expect(dump).toMatch(/admin_queue\.refused_write\n\(/);
    expect(dump).toMatch(/subject_keys\.subject_key\n\(/);
    expect(inText(dump)).toStrictEqual([]);
  });

  it('is in no file of the data directory, while the service runs and after its end', async () => {
    expect(inFiles([HARMLESS])).not.toStrictEqual([]);
    expect(inFiles()).toStrictEqual([]);
    await ended();
    expect(inFiles()).toStrictEqual([]);
  });

  it('is in no log line and in no output of the import', () => {
    expect(output).toContain('"level"');
    expect(inText(output)).toStrictEqual([]);
  });

  it('is not needed for a replay: every job replays identical', async () => {
    const client = await spawned();
    const auditor = await Caller.of(client, 'auditor');
    for (const seed of seeds) {
      const report = await auditor.post(`jobs/${seed}/replays`, { mode: 'strict' });
      expect(report).toMatchObject({ identical: true });
    }
  });

  it('is in the sealed values, which their user can still read', async () => {
    const user = await Caller.of(await service.ready(), 'user', { sub: 'brandvold' });
    const fact = (): Promise<{ value: unknown }> => user.get(contact);
    await until(
      'the write of the queue is done',
      async () => (await fact()).value === WRITTEN.queued,
    );
    expect(inFiles()).toStrictEqual([]);
  });
});
