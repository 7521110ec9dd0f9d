import { consoleReplay } from './cases/console-replay.js';
import { appends } from './cases/appends.js';
import { consoleStart } from './cases/console.js';
import { episodeQueries } from './cases/episode-queries.js';
import { factReads } from './cases/fact-reads.js';
import { httpCommands, slowedCommands } from './cases/http-commands.js';
import { growth } from './cases/growth.js';
import { instances } from './cases/instances.js';
import { jobReplay } from './cases/job-replay.js';
import { jobStart } from './cases/job-start.js';
import { chatTurns } from './cases/chat-turns.js';
import { memoryTurns } from './cases/memory-turns.js';
import { mixedProjectionSpeed, projectionSpeed } from './cases/projection-speed.js';
import { queries } from './cases/queries.js';
import { review } from './cases/review.js';
import { sealing } from './cases/sealing.js';
import { search } from './cases/search.js';
import { searchOwners } from './cases/search-owners.js';
import { installPeers } from './harness/children.js';
import { type Report, tableOf, type Target } from './harness/report.js';
import { type Setting, withSetting } from './harness/setting.js';

interface Case {
  readonly title: string;
  /** A case that takes long gives several reports, each one when it is measured. */
  readonly run: (setting: Setting) => Promise<Report> | AsyncIterable<Report>;
}

const CASES: Readonly<Record<string, Case>> = {
  a: { title: 'durable appends of one event, 64 writers', run: appends },
  b: { title: 'commands over HTTP, 64 connections', run: httpCommands },
  c: { title: 'a job of 10,000 events', run: jobReplay },
  d: { title: 'projections', run: projectionSpeed },
  e: { title: 'reading a fact', run: factReads },
  f: { title: 'episode queries, Zipf vocabulary', run: episodeQueries },
  g: { title: 'starting a job', run: jobStart },
  slow: { title: 'commands over HTTP, on a slower event store', run: slowedCommands },
  mixed: { title: 'projections of a log that others write to', run: mixedProjectionSpeed },
  growth: { title: 'the same requests as the log grows', run: growth },
  instances: { title: 'two services and a projector of its own', run: instances },
  queries: { title: 'routes, the gate, and a query that needs no model', run: queries },
  review: { title: 'requests decided by keyboard in a browser', run: review },
  sealing: { title: 'personal data sealed and opened', run: sealing },
  search: { title: 'searches, Zipf vocabulary', run: search },
  'search-owners': { title: 'a search over the entries of all owners', run: searchOwners },
  'console-replay': {
    title: 'the replay of a job of 100,000 events in the console',
    run: consoleReplay,
  },
  chat: { title: 'a turn of a chat that remembers its user', run: chatTurns },
  memory: { title: 'a turn with the Memory Contract', run: memoryTurns },
  console: { title: 'the console in a browser', run: consoleStart },
};

const words = process.argv.slice(2);
const quick = words.includes('--quick');
const asked = words.filter((word) => !word.startsWith('-'));
const unknown = asked.filter((word) => CASES[word] === undefined);
if (unknown.length > 0) {
  process.stderr.write(
    `No bench ${unknown.join(', ')}: there are ${Object.keys(CASES).join(', ')}.\n`,
  );
  process.exit(2);
}

await installPeers();
const targets: Target[] = [];
for (const [letter, { title, run }] of Object.entries(CASES)) {
  if (asked.length > 0 && !asked.includes(letter)) continue;
  process.stdout.write(`\n(${letter}) ${title}\n`);
  await withSetting(quick, async (setting) => {
    for await (const report of reportsOf(run(setting))) {
      targets.push(...report.targets);
      process.stdout.write(`${tableOf(report)}\n`);
    }
  });
}
const reached = targets.filter((target) => target.reached).length;
process.stdout.write(
  `\n${reached} of ${targets.length} targets reached${quick ? ' (quick run: sizes are a tenth, so its ratios say little)' : ''}\n`,
);

async function* reportsOf(run: Promise<Report> | AsyncIterable<Report>): AsyncIterable<Report> {
  if (run instanceof Promise) yield await run;
  else yield* run;
}
