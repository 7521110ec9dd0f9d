import type { Cast } from './cast.js';
import { PEOPLE, type SamplePerson } from './story.js';

/** Lets each person consent and write facts, and keeps what is known about them. Returns the ids of the consents. */
export async function addPeople(cast: Cast): Promise<ReadonlyMap<string, string>> {
  const consents = new Map<string, string>();
  for (const person of PEOPLE) {
    const consent = await consentOf(cast, person);
    if (consent !== undefined) consents.set(person.name, consent);
    await writeFacts(cast, person);
    await remember(cast, person);
  }
  return consents;
}

async function consentOf(cast: Cast, { name, consent }: SamplePerson): Promise<string | undefined> {
  if (consent === undefined) return undefined;
  const user = await cast.user(name);
  const words = { text: consent, scope: 'persistent' } as const;
  return (await user.privacy.giveConsent(words, cast.names.once('consent', name))).consent_id;
}

async function writeFacts(cast: Cast, { name, facts }: SamplePerson): Promise<void> {
  const user = await cast.user(name);
  for (const [index, [key, value]] of facts.entries()) {
    const once = cast.names.once('fact', name, String(index));
    await user.sem.put(cast.names.key(key), { value }, once);
  }
}

/** Keeps what is known about a person: an agent's notes, and what lasts of what the person says. */
async function remember(cast: Cast, { name, notes, said }: SamplePerson): Promise<void> {
  const user = await cast.user(name);
  for (const [key, value] of Object.entries(notes))
    await user.notes.put(
      cast.names.notesAbout(name),
      key,
      value,
      cast.names.once('note', name, key),
    );
  for (const [index, words] of said.entries())
    await user.remember({ said: words }, cast.names.once('said', name, String(index)));
}
