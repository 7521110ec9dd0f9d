import type { Command } from 'commander';
import { DEFAULT_PROFILE, removeProfile } from '../service/profiles.js';
import { printJson } from '../terminal/output.js';

/** `mace logout`: removes a profile of `mace login`. */
export const addLogoutCommand = (program: Command): Command =>
  program
    .command('logout')
    .summary('forget what mace login has kept')
    .description(
      'Removes a profile with its token. The token itself stays valid until it expires: a service keeps no sessions.',
    )
    .option('--profile <name>', 'the name of the profile (default: MACE_PROFILE, else default)')
    .option('--json', 'print {"profile": …, "removed": …}')
    .addHelpText('after', '\nExample:\n  mace logout --profile work')
    .action(async ({ profile, json }: { profile?: string; json?: boolean }) => {
      const name = profile ?? (process.env['MACE_PROFILE'] || DEFAULT_PROFILE);
      const removed = await removeProfile(name);
      if (json) return printJson({ profile: name, removed });
      const sentence = removed ? `Profile '${name}' is removed.` : `There is no profile '${name}'.`;
      process.stdout.write(`${sentence}\n`);
    });
