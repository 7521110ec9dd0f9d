import type { Command } from 'commander';
import type { Moment } from '#client/moments.js';
import { writeWholeFile } from '../files/whole-file.js';
import { momentOf } from '../terminal/moment.js';
import { knownThen } from './known-then.js';
import { connect, type ServiceOptions, withServiceOptions } from '../service/connection.js';
import { counted, printJson } from '../terminal/output.js';

interface AtOptions extends ServiceOptions {
  readonly job?: string;
  readonly user?: string;
  readonly prefix?: string;
  readonly out?: string;
}

/** `mace at`: says where the log ended at a time, and writes what it held then to a file. */
export const addAtCommand = (program: Command): Command =>
  withServiceOptions(
    program
      .command('at')
      .summary('what the memory held at a time, as one file that can be verified offline')
      .description(
        'Says at which position the log ended at a time, and what was known then: what a job had in its memory and had ' +
          'read, a person’s facts, memories and sessions, or the facts under a prefix, and who approved them. With --out it writes ' +
          'it to one signed file, with the requests that led to the facts. mace search and mace recall take --at, too.',
      )
      .argument(
        '<time>',
        'a time, such as 2026-11-25T10:32Z (local time without Z or an offset), or the position of an event',
      )
      .option('--job <seed>', 'the job and the facts that it had read')
      .option(
        '--user <id>',
        'the facts, memories and sessions of this person; the file has no sessions',
      )
      .option('--prefix <key>', 'the facts whose keys begin with this')
      .option('--out <file>', 'the file to write')
      .option('--json', 'print the position, and what the job knew, as JSON')
      .addHelpText(
        'after',
        '\nExamples:\n  mace at "2026-11-25T10:32Z" --job trip-1\n' +
          '  mace at "2026-11-25T10:32Z" --job trip-1 --out then.ndjson && mace verify then.ndjson',
      ),
  ).action(async (time: string, options: AtOptions) => {
    const { job, user, prefix, out, json } = options;
    const at = momentOf(time);
    const client = await connect(options, { sub: 'mace-at', roles: ['auditor'] });
    const moment = await client.positionAt(at);
    let lines = 0;
    if (out !== undefined) {
      const asked = {
        ...{ at },
        ...(job === undefined ? {} : { job_seed: job }),
        ...(user === undefined ? {} : { user_id: user }),
        ...(prefix === undefined ? {} : { prefix }),
      };
      lines = await writeWholeFile(out, client.momentFile(asked));
    }
    if (json) {
      const knew =
        job === undefined || moment.position === null
          ? {}
          : { knew: await client.job(job).knew({ at }) };
      return printJson({ ...moment, ...knew, file: out ?? null });
    }
    console.log(sentenceOf(moment));
    if (out === undefined && moment.position !== null)
      for (const line of await knownThen(client, at, options)) console.log(line);
    if (out !== undefined)
      console.log(
        `${counted(lines, 'line')} written to ${out}; check them with: mace verify ${out}`,
      );
  });

function sentenceOf({ at, position, final }: Moment): string {
  if (position === null) return `At ${at}, nothing was known: the log began later.`;
  const end = final
    ? ''
    : ' Nothing was recorded later yet, so the next event may still belong to it.';
  return `At ${at}, the log ended at position ${position}.${end}`;
}
