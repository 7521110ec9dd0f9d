import type { Command } from 'commander';
import { withOwnService } from '../service/own-service.js';
import { coloursFor } from '../terminal/colour.js';
import { interruptible } from '../terminal/interruptible.js';
import { duration, printJson } from '../terminal/output.js';
import { Story } from './story.js';
import { walkThrough, type WalkThrough } from './walk-through.js';

/** `mace demo`: shows how a sentence becomes a fact, and how to audit it. */
export const addDemoCommand = (program: Command): Command =>
  program
    .command('demo')
    .summary('watch one memory from a sentence to a fact')
    .description(
      'Starts a service in a temporary folder on a free port, runs a walk-through against it, ' +
        'and leaves nothing behind: a job, working memory, promotion, an episode, the council, a fact, an exact ' +
        'read, a replay, and detected tampering.',
    )
    .option('--json', 'print only the results, as JSON')
    .addHelpText('after', '\nExample:\n  mace demo')
    .action(async ({ json }: { json?: boolean }) => {
      const began = Date.now();
      const outcome = await played(json ?? false);
      if (json) return printJson({ ...outcome, duration_ms: Date.now() - began });
      const { bold } = coloursFor(process.stdout);
      process.stdout.write(
        `\n${bold('That was all of it')}, in ${duration(Date.now() - began)}; the temporary service is gone.\n` +
          'Start one that stays:  npm start\n',
      );
    });

function played(silent: boolean): Promise<WalkThrough> {
  const { bold, dim } = coloursFor(process.stdout);
  const say = (text: string): boolean => silent || process.stdout.write(`${text}\n`);
  return interruptible(async (signal) => {
    say(bold('MACE Memory: one memory, from a sentence to a fact'));
    say(dim('A service of its own starts in a temporary folder …'));
    const began = Date.now();
    return withOwnService('demo', signal, (service) => {
      say(dim(`It listens on ${service.url}, after ${duration(Date.now() - began)}.`));
      return walkThrough(service, new Story(silent));
    });
  });
}
