/** Servers that already run, so that a suite needs no Docker. */
export interface GivenServers {
  readonly MACE_EVENTSTORE_URL: string;
  readonly MACE_POSTGRES_URL: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the servers that an environment names; undefined if it names none. Fails if it names only one of them. */
export function givenServers(env: Environment): GivenServers | undefined {
  const { MACE_EVENTSTORE_URL, MACE_POSTGRES_URL } = env;
  if (MACE_EVENTSTORE_URL && MACE_POSTGRES_URL) return { MACE_EVENTSTORE_URL, MACE_POSTGRES_URL };
  if (MACE_EVENTSTORE_URL || MACE_POSTGRES_URL)
    throw new Error('Set both MACE_EVENTSTORE_URL and MACE_POSTGRES_URL, or neither of them.');
  return undefined;
}
