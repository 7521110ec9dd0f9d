/**
 * Records a stream of each category through the service. Every later release must replay these streams.
 *
 *   npm run build && node dist/test/golden/record-streams.js <name of the release>
 *
 * writes each stream to `test/golden/streams/<what>-<name of the release>.ndjson`, and the result of its
 * replay to `expected.json` in the same folder. It never overwrites an existing stream file. The streams
 * contain no personal data of real people.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import { type ConsentCommand, consentDecider } from '#domain/consent/consent.decider.js';
import { consentIdAt } from '#domain/consent/state.js';
import { hashJson } from '#domain/determinism/hash.js';
import { episodicId, reflectiveLogId } from '#domain/determinism/ids.js';
import { logCheckpointDecider } from '#domain/log-checkpoint/log-checkpoint.decider.js';
import { bundleHeaderLine, bundleLine } from '#domain/replay/bundle.js';
import {
  LOG_IDENTITY_STREAM,
  auditStream,
  checkpointStream,
  consentStream,
  routerStream,
} from '#domain/stream-names.js';
import { threadDecider } from '#domain/thread/thread.decider.js';
import { AggregateStore } from '#event-store/aggregate-store.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { CONTENT } from '#test/domain/reflective-cases.js';
import { streamsOf } from '#test/faults/support/log.js';
import { LogReader } from '#test/support/read-log.js';
import { queryAsSuperuser } from '#test/support/reflective-logs.js';
import { writeAnotherValue } from '#test/support/rows-with-macs.js';
import { TestService } from '#test/support/service.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { replayOf } from './golden-streams.js';
import {
  type Made,
  peopleOf,
  type People,
  PET,
  proposalsOf,
  type Proposals,
  recordAdditions,
  recordCleared,
  recordConversation,
  recordFact,
  recordForgetting,
  recordJob,
  recordMissedQuery,
  recordNote,
  recordPrivacy,
  recordRequests,
  recordReview,
  recordSearches,
  recordThread,
  recordUse,
  SEED,
  SESSION,
} from './recorded-use.js';

/** The folder in the sources. This program itself runs from dist/. */
const FOLDER = new URL('../../../test/golden/streams/', import.meta.url);
const HOUR_MS = 3_600_000;

/** Records a ReflectiveLog with every kind of addition, and also a review and a tampered row. */
async function recordLog(service: TestService, people: People): Promise<Made> {
  await recordAdditions(people);
  const { agent, auditor } = people;
  const id = reflectiveLogId(SEED);
  await queryAsSuperuser(
    service.postgres,
    `update reflective_logs.reflective_log_stage0 set cache_hit = true where log_id = $1`,
    [id],
  );
  await auditor.post('reflective-logs/verification', {});
  const { cache_hit: _, ...incomplete } = { ...CONTENT, log_id: 'golden-log' };
  await agent.refused('LOG_INVALID', 'POST', 'reflective-logs', { body: incomplete });
  return { reflective: `reflective-${id}` };
}

/** Records a proposal from two hours ago, which the service finds expired. */
async function recordOverdue(log: LogReader, proposal: ReturnType<Proposals>): Promise<string> {
  const stream = 'request-golden-expired';
  const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
  const requests = new AggregateStore(log.eventStore, actionRequestDecider, {
    writeFailure: 'MEMORY_WRITE_FAIL',
  });
  const request = {
    ...proposal,
    type: 'request',
    request_id: 'golden-expired',
    kind: 'sem_put',
    evidence: [],
    proposer: { sub: 'golden-agent', user_id: null },
    made_for: null,
    source: 'agent:golden-agent',
    requested_at: ago(2),
    expires_at: ago(1),
    quorum: 1,
  } as const;
  const hash = hashJson(stream);
  const identity = { command_id: hash, body_hash: hash, actor: 'golden-agent', trace_id: 'golden' };
  await requests.execute(stream, [request], identity);
  while (!(await log.types(stream)).includes('request_expired'))
    await new Promise((resolve) => setTimeout(resolve, 100));
  return stream;
}

/** Records that the latest checkpoint of a thread was put after its deletion was asked for and before it landed. */
async function recordLateDeletion(log: LogReader): Promise<void> {
  const names = [...(await streamsOf(log.eventStore)).keys()];
  const stream = names.find((name) => name.startsWith('thread-')) ?? '';
  const threads = new AggregateStore(log.eventStore, threadDecider, {
    writeFailure: 'MEMORY_WRITE_FAIL',
  });
  const { version } = await threads.load(stream);
  const data = { up_to: version - 1, at: new Date().toISOString() };
  const hash = hashJson(stream);
  const identity = { command_id: hash, body_hash: hash, actor: 'golden-agent', trace_id: 'golden' };
  await threads.execute(stream, [{ type: 'delete', data }], identity);
}

/** Records a consent whose revocation came before an episode that was kept under it. */
async function recordWithheld(log: LogReader): Promise<string> {
  const stream = consentStream('withheld');
  const consent_id = consentIdAt(stream, 1);
  const consents = new AggregateStore(log.eventStore, consentDecider, {
    writeFailure: 'MEMORY_WRITE_FAIL',
  });
  const at = new Date().toISOString();
  const given = { user_id: 'withheld', text: 'Keep it.', scope: 'persistent' } as const;
  const commands: readonly ConsentCommand[] = [
    { type: 'give', ...given, job_seed: null, given_at: at },
    { type: 'revoke', consent_id, revoked_at: at },
    { type: 'withhold_episode', consent_id, episodic_id: episodicId('golden-withheld', 1) },
  ];
  for (const command of commands) {
    const hash = hashJson([stream, command.type]);
    const author = { actor: 'golden-user', trace_id: 'golden' };
    await consents.execute(stream, [command], { command_id: hash, body_hash: hash, ...author });
  }
  return stream;
}

/** Records a checkpoint of the log that one of two places keeps at once, and the other one at its second try. */
async function recordCheckpoint(log: LogReader): Promise<Made> {
  const checkpoint_id = 'golden-checkpoint';
  const stream = checkpointStream(checkpoint_id);
  const checkpoints = new AggregateStore(log.eventStore, logCheckpointDecider, {
    writeFailure: 'MEMORY_WRITE_FAIL',
  });
  const [created_at, made_at, at] = [0, 1, 2].map((ms) => new Date(ms).toISOString()) as [
    ...[string, string, string],
  ];
  const places = ['file:///var/checkpoints', 's3://checkpoints/mace'] as const;
  const figures = { position: '12345', events: 12, streams: 3, found: 0, bytes: 512 };
  const [key_id, sha256] = [hashJson('key'), hashJson('file')];
  const commands = [
    { type: 'make', checkpoint_id, created_at, made_at, ...figures, key_id, sha256, places },
    { type: 'keep', place: places[0], at, locked_until: null },
    { type: 'fail_to_keep', place: places[1], at, problem: 'unreachable' },
    { type: 'keep', place: places[1], at, locked_until: '2030-01-31T12:00:00.000Z' },
  ] as const;
  for (const [index, command] of commands.entries()) {
    const hash = hashJson([stream, index]);
    const author = { actor: 'golden-auditor', trace_id: 'golden' };
    await checkpoints.execute(stream, [command], { command_id: hash, body_hash: hash, ...author });
  }
  return { 'log-checkpoint': stream };
}

/** Records what `recordUse` makes, a refusal, and a fact for which the read model has two values. */
async function recordTheRest(service: TestService, people: People): Promise<Made> {
  await recordUse(people);
  const { agent, admin } = people;
  const refused = { body: { value: false }, key: 'refused' };
  await agent.refused('PERMISSION_DENIED', 'PUT', 'sem/mace/config/router/enable', refused);
  await writeAnotherValue(service.postgres, 'user/profile/user_golden/pet', {
    held: '"a dog"',
    timestamp: '2099-01-01T00:00:00.000Z',
  });
  await admin.get(PET);
  return {
    router: routerStream('golden-agent'),
    owner: 'owner-golden',
    memory: `memory-session:${SESSION}`,
    'audit-refused': auditStream('golden-agent'),
    'audit-warning': auditStream('system'),
  };
}

/** Starts a second instance with another sealing key, which wraps the log's naming key anew. */
async function recordRotation({ eventStore, postgres }: TestService): Promise<Made> {
  const environment = {
    MACE_SEALING_KEY: 'seal:Wd4pJz9QmTr6XkVn2Hc8Ly5Bg3Fs7Eau',
    MACE_SEALING_KEYS_OLD: TEST_KEYS.MACE_SEALING_KEY,
  };
  await (await TestService.start({ servers: { eventStore, postgres }, environment })).stop();
  return { 'log-identity': LOG_IDENTITY_STREAM };
}

function write(what: string, release: string, events: readonly LoggedEvent[]): void {
  const file = `${what}-${release}.ndjson`;
  const path = new URL(file, FOLDER);
  if (existsSync(path)) return console.log(`${file} is kept`);
  const last = events.at(-1);
  if (last === undefined) throw new Error(`No stream was made for ${file}`);
  const { stream, metadata } = last;
  const header = { stream, event_count: events.length, head_hash: metadata.hash };
  const text = [bundleHeaderLine(header), ...events.map(bundleLine), ''].join('\n');
  const { content_hash, state_hash } = replayOf(text);
  const expected = new URL('expected.json', FOLDER);
  const known = JSON.parse(readFileSync(expected, 'utf8')) as object;
  const all = { ...known, [file]: { content_hash, state_hash } };
  writeFileSync(path, text, { flag: 'wx' });
  writeFileSync(expected, `${JSON.stringify(all, null, 2)}\n`);
  console.log(`${file}: ${events.length} events`);
}

const release = process.argv[2];
if (release === undefined || !/^[a-z0-9.-]+$/.test(release)) {
  console.error('Usage: node dist/test/golden/record-streams.js <name of the release>');
  process.exit(2);
}
const service = await TestService.start({
  ownLog: true,
  environment: { MACE_COUNCIL_QUORUM: '2' },
});
const log = new LogReader(service.eventStore.url);
try {
  const people = await peopleOf(service);
  const proposalOf = await proposalsOf(people.agent);
  await recordConversation(people);
  await recordThread(people);
  await recordLateDeletion(log);
  const made: Made = {
    ...(await recordFact(people)),
    ...(await recordJob(people)),
    ...(await recordForgetting(people)),
    ...(await recordSearches(people)),
    ...(await recordLog(service, people)),
    ...(await recordRequests(people, proposalOf)),
    ...(await recordCleared(people, proposalOf)),
    'request-expired': await recordOverdue(log, proposalOf('expired')),
    ...(await recordReview(people)),
    ...(await recordPrivacy(people)),
    'consent-withheld': await recordWithheld(log),
    ...(await recordTheRest(service, people)),
    ...(await recordNote(people)),
    ...(await recordMissedQuery(people)),
    ...(await recordRotation(service)),
    ...(await recordCheckpoint(log)),
  };
  const streams = await streamsOf(log.eventStore);
  const one = (category: string): string =>
    [...streams.keys()].find((stream) => stream.startsWith(`${category}-`)) ?? '';
  const found = {
    quarantine: one('quarantine'),
    conversation: one('conversation'),
    thread: one('thread'),
  };
  for (const [what, stream] of Object.entries({ ...made, ...found }))
    write(what, release, streams.get(stream) ?? []);
} finally {
  await log.close();
  await service.stop();
}
