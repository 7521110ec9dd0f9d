import { type Command, Option } from 'commander';
import { ROLES, type Role } from '#platform/auth/roles.js';
import {
  connect,
  consoleUrl,
  type ServiceOptions,
  withServiceOptions,
} from '../service/connection.js';
import { printJson } from '../terminal/output.js';
import { spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/**
 * Opens a link in the browser, if this machine has one. Other users can read the arguments of a program, so the
 * browser gets a file that only this user can read, and which leads to the link.
 */
async function openInBrowser(link: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mace-console-'));
  const file = join(folder, 'sign-in.html');
  await writeFile(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${link}">\n`, {
    mode: 0o600,
  });
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(program, [...args, pathToFileURL(file).href], {
    stdio: 'ignore',
    detached: true,
  });
  // The link has been printed, so a machine without a browser can go on.
  opener.on('error', () => undefined);
  opener.unref();
}

interface ConsoleOptions extends ServiceOptions {
  readonly role: readonly Role[];
  readonly sub: string;
  readonly userId?: string;
  readonly open: boolean;
  readonly json?: boolean;
}

/** `mace console`: prints a one-time link that signs in to the console, and opens it in the browser. */
export const addConsoleCommand = (program: Command): Command =>
  withServiceOptions(
    program
      .command('console')
      .summary('sign in to the console in the browser, by a one-time link')
      .description(
        'Prints a link that signs in to the console of a service on this machine. The link works once and for five ' +
          'minutes; the session that it starts lasts a day, and ends with its tab. On a terminal, the link is also ' +
          'opened in the browser.',
      )
      .addOption(
        new Option('--role <role...>', 'what the person may do there')
          .choices(ROLES)
          .makeOptionMandatory(),
      )
      .requiredOption('--sub <id>', 'who the person is')
      .option('--user-id <id>', 'the user that the person acts for')
      .option('--no-open', 'print the link only')
      .option('--json', 'print {"link": …, "expires_at": …}'),
  )
    .addHelpText(
      'after',
      `
A given token (--token, MACE_TOKEN) has its own roles, sub and user.

Examples:
  mace console --role council --sub me
  mace console --role auditor --role admin --sub me --no-open`,
    )
    .action(async ({ role, sub, userId, open, json, ...given }: ConsoleOptions) => {
      const claims = { sub, roles: role, ...(userId === undefined ? {} : { user_id: userId }) };
      const service = { ...given, ...(json && { json }) };
      const client = await connect(service, claims);
      const { code, expires_at } = await client.console.makeLink();
      const link = consoleUrl(service, `/sign-in#code=${code}`);
      if (json) return printJson({ link, expires_at });
      process.stdout.write(`${link}\n`);
      if (open && process.stdout.isTTY) await openInBrowser(link);
    });
