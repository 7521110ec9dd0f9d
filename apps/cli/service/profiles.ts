import { readFileSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandFailure, couldNotCheck, EXIT } from '../exit-code.js';
import { notWritten, writeWholeFile } from '../files/whole-file.js';

/** A service that `mace login` has kept, with the token for it. Without one, commands mint their own. */
export interface Profile {
  readonly url: string;
  readonly token?: string;
}

/** The profile of commands that name none. */
export const DEFAULT_PROFILE = 'default';

const NAME = /^[\w.-]{1,64}$/;
const ONLY_OWNER = 0o600;
const BY_OTHERS = 0o077;

/** Returns the file of the profiles, in the user's directory for configuration. */
export const profilesFile = (): string =>
  join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'mace', 'profiles.json');

/** Returns the profiles by their names. Fails if others can read the file, because it has tokens. */
export function profiles(): ReadonlyMap<string, Profile> {
  const file = profilesFile();
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return new Map();
  if ((found.mode & BY_OTHERS) !== 0)
    throw wrong(`${file} has tokens, and others can read it. Run: chmod 600 ${file}`);
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Profile>;
    return new Map(Object.entries(kept));
  } catch {
    throw wrong(`${file} cannot be read as JSON. Delete it, and run mace login again.`);
  }
}

/** Returns the profile of that name. Fails if there is none. */
export function profileNamed(name: string): Profile {
  const all = profiles();
  const profile = all.get(name);
  if (profile !== undefined) return profile;
  const names = [...all.keys()].join(', ');
  throw couldNotCheck(
    `There is no profile '${name}'${names === '' ? '' : ` (there are: ${names})`}. Make it with: mace login --profile ${name}`,
  );
}

/** Keeps a profile, in a file that only its owner can read, and returns the file. */
export async function keepProfile(name: string, profile: Profile): Promise<string> {
  if (!NAME.test(name))
    throw couldNotCheck(
      'The name of a profile has 1 to 64 letters, digits, dots, hyphens and underscores.',
    );
  return written(new Map(profiles()).set(name, profile));
}

/** Removes a profile. Returns false if there is none of that name. */
export async function removeProfile(name: string): Promise<boolean> {
  const rest = new Map(profiles());
  if (!rest.delete(name)) return false;
  await written(rest);
  return true;
}

async function written(all: ReadonlyMap<string, Profile>): Promise<string> {
  const file = profilesFile();
  const text = JSON.stringify(Object.fromEntries(all), undefined, 2);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw notWritten(file, error);
  });
  await writeWholeFile(file, [text], ONLY_OWNER);
  return file;
}

const wrong = (message: string): CommandFailure => new CommandFailure(EXIT.wrongSetting, message);
