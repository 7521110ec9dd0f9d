import type { ActionRequest } from '#client/action-requests.js';
import type { JobHandle, ReplayReport } from '#client/jobs.js';
import type { MaceClient } from '#client/mace-client.js';
import { exportJob } from '../export/export.command.js';
import type { OwnService } from '../service/own-service.js';
import { editedCopy } from '../verify/edited-copy.js';
import { verifyFile } from '../verify/verify-file.js';
import type { Story } from './story.js';
import { readFile, writeFile } from 'node:fs/promises';

/** Returns a copy of a bundle without one event. */
async function copyWithout(bundle: string, eventType: string): Promise<string> {
  const lines = (await readFile(bundle, 'utf8')).split('\n');
  const at = lines.findIndex((line) => line.includes(`"type":"${eventType}"`));
  const copy = `${bundle}.shortened`;
  await writeFile(copy, lines.toSpliced(at, 1).join('\n'));
  return copy;
}

const USER = 'Tuff';
const SEED = 'demo-cerulean';
const EDIT = { from: 'cerulean', to: 'vermilion' };
const FAVOURITE = { favorite_color: 'cerulean' };

/** The results of the demo, for `--json`. */
export interface WalkThrough {
  readonly job_seed: string;
  readonly key: string;
  readonly value: unknown;
  readonly replay: ReplayReport;
  readonly tampering: { readonly edited: string; readonly deleted: string };
}

/** Runs the example of the specification, from a person's sentence to a fact and its audit. */
export async function walkThrough(service: OwnService, story: Story): Promise<WalkThrough> {
  const agent = await service.as('agent-7', 'agent');
  const job = await workingMemory(agent, story);
  const user = await service.as('tuff', 'user', USER);
  await end(job, story);
  const episode = await question(user, agent.position, story);
  const { request, key } = await proposal(agent, episode, story);
  const council = await service.as('council-1', 'council');
  await approval(council, request, story);
  const value = await exactRead(user, key, story);
  const { replay, file } = await replayed(service, story);
  const tampering = await tampered(file, story);
  return { job_seed: SEED, key, value, replay, tampering };
}

async function workingMemory(agent: MaceClient, story: Story): Promise<JobHandle> {
  await story.chapter('A job begins');
  await story.tell(
    `An agent starts a job for the user ${USER}. Time in it is ticks; every id follows from its seed.`,
  );
  const started = await agent.jobs.start({
    job_seed: SEED,
    user_id: USER,
    goal: `What ${USER} likes`,
  });
  await story.show(
    `job ${SEED}, tick ${started.tick}, reads facts as of ${short(started.snapshots.sem_snapshot_id)}`,
  );
  const job = agent.job(SEED);

  await story.chapter('Working memory');
  await story.tell(`${USER} says: “Remember my favourite color is cerulean.”`);
  const { wm_id } = await job.insert({ type: 'fact', value: FAVOURITE });
  const hint = await job.insert({ type: 'hint', value: { tone: 'friendly' } });
  for (const entry of (await job.get()).wm.toReversed())
    await story.show(
      `${entry.wm_id}  ${entry.type}  ${JSON.stringify(entry.value)}  ${entry.ttl_ticks} ticks to live`,
    );

  await story.chapter('Two references');
  await story.tell(
    'The router reads the color, then the profile agent does. Each use is recorded.',
  );
  await job.referenceWm(wm_id);
  await job.referenceWm(wm_id);
  const [entry] = (await job.findWm({ equals: { '/wm_id': wm_id } })).entries;
  await story.show(`${wm_id} has ${entry?.references} references; ${hint.wm_id} has none`);

  await story.chapter('A tick: promotion');
  await story.tell(
    'An entry that is used twice within four ticks moves to consolidated memory, without a command.',
  );
  const { version } = await job.get();
  await job.tick();
  for (const { number, type, data } of (await job.events({ from: version + 1 })).events)
    await story.show(`event ${number}  ${type}  ${JSON.stringify(data)}`);
  const { wm, cwm } = await job.get();
  await story.check(
    cwm.items.length === 1 && wm.every((left) => left.wm_id !== wm_id),
    `${cwm.items[0]?.cwm_id_item} is in CWM, ${cwm.token_estimate} tokens, and no longer in WM`,
  );
  return job;
}

async function end(job: JobHandle, story: Story): Promise<void> {
  await story.chapter('The job ends');
  await story.tell('The consolidated memory becomes an episode: append-only, and not yet a fact.');
  const before = (await job.get()).version;
  const { kept, expired } = await job.end();
  for (const { number, type, data } of (await job.events({ from: before + 1 })).events)
    await story.show(
      `event ${number}  ${type}  ${'summary' in data ? JSON.stringify(data['summary']) : ''}`,
    );
  const gone = expired.items.map(({ content }) => content).join(', ');
  await story.show(`kept as episodes: ${kept.count}; gone: ${expired.count}, ${gone}`);
}

async function question(
  user: MaceClient,
  after: bigint | undefined,
  story: Story,
): Promise<string> {
  await story.chapter('Asking what happened');
  await story.tell(
    'Tuff searches for “favorite color”. Shared words rank the episodes: the same log, the same answer.',
  );
  const { results } = await user.episodes.query({ query_terms: 'favorite color' }, { after });
  const [found] = results;
  await story.check(
    found !== undefined,
    `${short(found?.episodic_id ?? '')}  score ${found?.score.toFixed(2)}  ${found?.summary}`,
  );
  return found!.episodic_id;
}

async function proposal(
  agent: MaceClient,
  episode: string,
  story: Story,
): Promise<{ request: ActionRequest; key: string }> {
  await story.chapter('A request, not a write');
  const { key } = await agent.sem.makeKey({
    scope: 'user',
    entity_type: 'profile',
    attribute: 'favorite color',
    user_id: USER,
  });
  await story.tell('The agent cannot write a fact, so it sends a request to the council.');
  const request = await agent.actionRequests.propose({
    episodic_id: episode,
    target_sem_key: key,
    value: FAVOURITE.favorite_color,
    justification: `${USER} asked for it to be remembered.`,
  });
  await story.show(
    `request ${short(request.request_id)} is ${request.status}: ${key} = "cerulean"`,
  );
  const fact = await agent.sem.get(key);
  await story.check(!fact.exists, 'the fact does not exist yet');
  return { request, key };
}

async function approval(council: MaceClient, request: ActionRequest, story: Story): Promise<void> {
  await story.chapter('The council approves');
  await story.tell(
    'A vote names the hash of the proposal. An approval leads to exactly one write.',
  );
  const decided = await council.actionRequests.vote(request.request_id, {
    vote: 'approve',
    reason: 'The user asked for it, and the episode shows it.',
    proposal_hash: request.proposal_hash,
  });
  await story.check(
    decided.status === 'executed',
    `request ${short(request.request_id)} is ${decided.status}`,
  );
}

async function exactRead(user: MaceClient, key: string, story: Story): Promise<unknown> {
  await story.chapter('The fact, read exactly');
  await story.tell(`${USER} reads ${key}.`);
  const fact = await user.sem.get(key);
  await story.check(
    fact.value === FAVOURITE.favorite_color,
    fact.exists
      ? `${JSON.stringify(fact.value)}, source ${fact.source}, of ${fact.last_updated}`
      : 'the fact is there',
  );
  return fact.value;
}

async function replayed(
  service: OwnService,
  story: Story,
): Promise<{ replay: ReplayReport; file: string }> {
  await story.chapter('Replay');
  await story.tell(
    'The service applies the same rules to the recorded inputs and compares every event, id and time.',
  );
  const auditor = await service.as('auditor-1', 'auditor');
  const replay = await auditor.job(SEED).replay('strict');
  await story.check(
    replay.identical,
    `${replay.events_checked} events, identical, content ${short(replay.content_hash)}`,
  );

  await story.chapter('Export and verification');
  const { file } = await exportJob(auditor, SEED, service.folder);
  const { intact, events, head_hash } = await verifyFile(file);
  await story.tell('The job is exported to one file, which anyone can check without the service.');
  await story.check(
    intact,
    `${events} events follow from each other, head ${short(head_hash ?? '')}`,
  );
  return { replay, file };
}

async function tampered(file: string, story: Story): Promise<WalkThrough['tampering']> {
  await story.chapter('Tampering');
  await story.tell(
    'One copy of the file says vermilion instead of cerulean; another lacks the promotion.',
  );
  const edited = await verifyFile(await editedCopy(file, `${file}.edited`, EDIT));
  await story.check(!edited.intact, edited.finding?.sentence ?? 'the edit is found');
  const shortened = await verifyFile(await copyWithout(file, 'promotion_event'));
  await story.check(!shortened.intact, shortened.finding?.sentence ?? 'the gap is found');
  return { edited: edited.finding!.sentence, deleted: shortened.finding!.sentence };
}

/** Shortens an id or hash for display. */
const short = (id: string): string => (id.length > 24 ? `${id.slice(0, 20)}…` : id);
