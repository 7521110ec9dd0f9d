import type { Command } from 'commander';
import { isMaceError } from '#client/mace-error.js';
import { couldNotCheck } from '../exit-code.js';
import { consoleUrl, sayMinting, type ServiceOptions } from '../service/connection.js';
import { coloursFor } from '../terminal/colour.js';
import { counted, duration, printJson } from '../terminal/output.js';
import { Cast } from './cast.js';
import { fill, type Filling } from './fill.js';
import type { SampleNames } from './names.js';
import { removeSample } from './remove.js';
import { SampleRound } from './round.js';
import { PROPOSALS } from './story.js';

interface SampleOptions extends ServiceOptions {
  readonly out: string;
  readonly remove?: boolean;
  readonly answers?: boolean;
}

/** `mace sample`: fills a running service with a story to look at and to practise on, and removes it again. */
export const addSampleCommand = (program: Command): Command =>
  program
    .command('sample')
    .summary('fill a running service with a story to practise on')
    .description(
      'Fills a running service with the story of a travel agency: jobs, facts, notes, memories, a conversation, an erasure, and ' +
        'action requests of every kind and risk. Some of those that wait are wrong on purpose, so that a reviewer can ' +
        'practise. Its names begin with sample-. The same command again changes nothing.\n\n' +
        'Several people act in the story, so the command mints their tokens with the keys of the service (MACE_DATA_DIR ' +
        'or MACE_JWT_SECRET), and uses no given token.',
    )
    .option('--url <url>', 'the service’s URL, as for every command')
    .option('--profile <name>', 'the profile whose URL is used')
    .option('--out <dir>', 'the folder for a bundle and its tampered copy', 'sample')
    .option('--answers', 'also say which requests are wrong on purpose, and why')
    .option(
      '--remove',
      'delete its facts, notes and memories, reject its open requests and erase its people; its jobs stay, and lists of the ' +
        'console leave them out',
    )
    .option('--json', 'print what was made or removed as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  mace sample\n  mace sample --answers\n  mace sample --remove',
    )
    .action((options: SampleOptions) =>
      withKeysOfService(options.remove ? remove(options) : make(options)),
    );

/** The roles in which the people of the story act. */
const ROLES = ['agent', 'user', 'council', 'admin', 'auditor'] as const;

async function make(options: SampleOptions): Promise<void> {
  const began = Date.now();
  sayMinting(options, { sub: 'the people of the sample', roles: ROLES });
  const { green } = coloursFor(process.stdout);
  const names = await (await SampleRound.of(options)).begin();
  const filling = await fill(new Cast(options, names), options.out, (part) => {
    if (!options.json) console.log(`${green('✔')} ${part}`);
  });
  const planted = plantedIn(filling);
  if (options.json) {
    const { requests, ...made } = filling;
    const ids = Object.fromEntries(requests);
    const answers = options.answers ? { planted } : {};
    return printJson({ prefix: names.prefix, ...made, requests: ids, ...answers });
  }
  printPlaces(options, names, filling, planted.length, Date.now() - began);
  if (options.answers)
    for (const { name, link, wrong } of planted.map(linked(options)))
      console.log(`  ${name}  ${link}\n    ${wrong}`);
}

interface Planted {
  readonly name: string;
  readonly request_id: string;
  readonly wrong: string;
}

const plantedIn = ({ requests }: Filling): readonly Planted[] =>
  PROPOSALS.flatMap(({ name, planted }) =>
    planted === undefined ? [] : [{ name, request_id: requests.get(name)!, wrong: planted }],
  );

const linked =
  (options: SampleOptions) =>
  ({ request_id, ...rest }: Planted) => ({
    ...rest,
    link: consoleUrl(options, `/requests/${request_id}`),
  });

function printPlaces(
  options: SampleOptions,
  names: SampleNames,
  { tampered, finding }: Filling,
  planted: number,
  took: number,
): void {
  const { bold } = coloursFor(process.stdout);
  const at = (path: string): string => consoleUrl(options, path);
  // The commands below act on the same service.
  const same = options.url === undefined ? '' : ` --url ${options.url}`;
  console.log(`
${bold('The sample is there')}, after ${duration(took)}. Sign in: npx mace console${same} --role council auditor --sub me
  What waits for the council  ${at('/requests')}
  The jobs of the sample      ${at('/jobs?sample=true')}
  A job, step by step         ${at(`/jobs/${names.of('oslo-trip')}`)}
  A corrected fact            ${at(`/facts/${names.key('world/supplier/aurora/delivery_days')}`)}
  An erasure                  ${at('/privacy/erasures')}
  A tampered bundle           npx mace verify ${tampered}
                              ${finding}
Of the requests that wait, ${planted} are wrong on purpose. Which: npx mace sample --answers${same}
Remove it: npx mace sample --remove${same}`);
}

async function remove(options: SampleOptions): Promise<void> {
  sayMinting(options, { sub: 'the people of the sample', roles: ROLES });
  const round = await SampleRound.of(options);
  const names = round.present;
  if (names === undefined) {
    if (options.json) return printJson({ removed: false });
    return console.log('This service has no sample.');
  }
  const removal = await removeSample(new Cast(options, names));
  await round.end(names);
  if (options.json) return printJson({ removed: true, prefix: names.prefix, ...removal });
  const { facts, notes, memories, rejected, erased } = removal;
  console.log(
    `The sample is removed: ${counted(facts, 'fact')} and ${counted(notes, 'note')} deleted, ` +
      `${counted(memories, 'memory', 'memories')} forgotten, ` +
      `${counted(rejected, 'request')} rejected, ${counted(erased, 'person', 'people')} erased.\n` +
      'Its jobs stay, as all jobs do; the console lists them only if asked.',
  );
}

async function withKeysOfService(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isMaceError(error, 'UNAUTHENTICATED')) throw error;
    throw couldNotCheck(
      'The service does not accept the tokens that mace sample mints. It needs the keys of that service: set ' +
        'MACE_DATA_DIR to its data directory, or MACE_JWT_SECRET to its secret.',
    );
  }
}
