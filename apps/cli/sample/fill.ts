import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { couldNotCheck } from '../exit-code.js';
import { exportJob } from '../export/export.command.js';
import { editedCopy } from '../verify/edited-copy.js';
import { verifyFile } from '../verify/verify-file.js';
import type { Cast } from './cast.js';
import { runJobs } from './jobs.js';
import { addPeople } from './people.js';
import { makeRequests } from './requests.js';
import { CONVERSATION, JOBS, PEOPLE, TAMPERED } from './story.js';

/** The contents of the sample, which this filling or an earlier one has made. */
export interface Filling {
  readonly jobs: number;
  readonly people: number;
  /** The ids of the requests, by their names in the story. */
  readonly requests: ReadonlyMap<string, string>;
  /** The bundle of a job, and its copy in which a value was changed. */
  readonly bundle: string;
  readonly tampered: string;
  /** The finding of `mace verify` in the copy. */
  readonly finding: string;
}

/** Writes the sample into the service and its files into a folder. `say` is called after each part. */
export async function fill(
  cast: Cast,
  folder: string,
  say: (part: string) => void,
): Promise<Filling> {
  const consents = await addPeople(cast);
  say(
    `${PEOPLE.length} people, with their consents, facts, notes and memories; one of them corrects a fact`,
  );
  const episodes = await runJobs(cast);
  say(`${JOBS.length} jobs: one failed, one still runs`);
  await converse(cast);
  say('a conversation about a refund');
  const requests = await makeRequests(cast, episodes, consents);
  say(
    `${requests.size} action requests: approved, rejected, revised, asked about and waiting; one erasure`,
  );
  const files = await writeFiles(cast, folder);
  say(`a bundle, and a copy of it in which somebody has changed a value`);
  return { jobs: JOBS.length, people: PEOPLE.length, requests, ...files };
}

async function converse(cast: Cast): Promise<void> {
  const user = await cast.user(CONVERSATION.user);
  const conversation = user.conversation(cast.names.of(CONVERSATION.name));
  await conversation.append(CONVERSATION.items, cast.names.once('conversation'));
}

async function writeFiles(
  cast: Cast,
  folder: string,
): Promise<Pick<Filling, 'bundle' | 'tampered' | 'finding'>> {
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw couldNotCheck(`The folder ${folder} cannot be made: ${error.message}.`);
  });
  const seed = cast.names.of(TAMPERED.job);
  const auditor = await cast.auditor();
  const { file: bundle } = await exportJob(auditor, seed, folder);
  const tampered = await editedCopy(bundle, join(folder, `${seed}.tampered.ndjson`), TAMPERED);
  const { finding } = await verifyFile(tampered);
  // A read that shows all writes: what the console lists is there when the command ends.
  const after = await cast.position();
  await auditor.jobs.list({ limit: 1 }, after === undefined ? {} : { after });
  return { bundle, tampered, finding: finding?.sentence ?? '' };
}
