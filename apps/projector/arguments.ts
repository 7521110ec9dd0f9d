import { parseArgs } from 'node:util';
import { BadConfig } from '#platform/config/bad-config.js';

export const HELP = `Keeps the read models up to date, on the servers of MACE_EVENTSTORE_URL and MACE_POSTGRES_URL.

  npm run projector -- [--only sem,episodes]

With --only it leads the named read models and no others. Other processes leave them to it while it runs.
Without --only it leads every read model that no other process leads.
`;

/**
 * Returns the names of the read models to lead, as `--only` gives them; undefined for all. @throws BadConfig
 */
export function readOnly(args: readonly string[]): readonly string[] | undefined {
  try {
    const { values } = parseArgs({ args: [...args], options: { only: { type: 'string' } } });
    return values.only === undefined ? undefined : namesIn(values.only);
  } catch (error) {
    if (error instanceof BadConfig) throw error;
    throw new BadConfig(`${(error as Error).message}\n\n${HELP}`);
  }
}

function namesIn(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes(''))
    throw new BadConfig(
      '--only must list names of read models, separated by commas, such as --only sem,episodes.',
    );
  return names;
}
