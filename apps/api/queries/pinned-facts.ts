import type { FactRead } from '#agents/agent.js';
import { isEntityOf, parseKey } from '#domain/canonical-key/canonical-key.js';
import { keyOfTemplate, PROFILE_TEMPLATE } from '#domain/canonical-key/synonyms.js';
import { isSealed } from '#domain/held.js';
import type { JobCommand } from '#domain/job/commands.js';
import type { JobStarted } from '#domain/job/events.js';
import { redactedText } from '#domain/privacy/withheld.js';
import type { Fact, SemQueries } from '#projections/sem/queries.js';

/** At most this many facts answer the question what the service knows about a user. */
const MAX_PROFILE_FACTS = 50;

type Reads = ReadonlyMap<string, Promise<FactRead | undefined>>;

/**
 * Reads facts for agents and the council at the snapshot that the query pinned, each fact once (SPEC
 * J10). Only the facts of the query's own user, and facts that belong to no user, can be read.
 */
export class PinnedFacts {
  private readonly known: Map<string, Promise<FactRead | undefined>>;
  private unrecorded: string[] = [];
  /**
   * The error of a failed read, which does not count as the agent's failure; undefined if no read
   * failed.
   */
  failure: Error | undefined;

  /** @param reads the facts that the query has already read and recorded. */
  constructor(
    private readonly facts: SemQueries,
    private readonly job: JobStarted,
    reads: Reads,
  ) {
    this.known = new Map(reads);
  }

  get reads(): Reads {
    return this.known;
  }

  /** Returns a fact; undefined if the key has no fact or belongs to another user. */
  readonly read = (key: string): Promise<FactRead | undefined> => {
    const known = this.known.get(key) ?? this.readFact(key);
    this.known.set(key, known);
    return known;
  };

  /** Returns the facts of the query's own user's profile, at most `MAX_PROFILE_FACTS`, by their keys. */
  readonly readProfile = async (): Promise<readonly FactRead[]> => {
    const { owner, snapshots } = this.job;
    if (owner.user_id === null) return [];
    const prefix = keyOfTemplate(PROFILE_TEMPLATE, owner.user_id);
    const page = await this.attempt(() =>
      this.facts.factsAtCount(snapshots.sem_event_count, prefix, MAX_PROFILE_FACTS),
    );
    const found = page.filter(({ key }) => key.startsWith(prefix)).map(shown);
    for (const fact of found) {
      if (this.known.has(fact.key)) continue;
      this.known.set(fact.key, Promise.resolve(fact));
      this.unrecorded.push(fact.key);
    }
    return found;
  };

  /**
   * Returns the command that records the reads since the last call of `evidence`, as a list; the list is
   * empty if nothing was read since then (SPEC J10).
   */
  evidence(): JobCommand[] {
    const ids = this.unrecorded;
    this.unrecorded = [];
    return ids.length === 0 ? [] : [{ op: 'memory_read', kind: 'sem_get', ids }];
  }

  private async readFact(key: string): Promise<FactRead | undefined> {
    const { scope, entity_id } = parseKey(key);
    const { owner, snapshots } = this.job;
    if (scope === 'user' && (owner.user_id === null || !isEntityOf(owner.user_id, entity_id)))
      return undefined;
    this.unrecorded.push(key);
    const fact = await this.attempt(() => this.facts.getAtCount(key, snapshots.sem_event_count));
    return fact && shown(fact);
  }

  private async attempt<Read>(read: () => Promise<Read>): Promise<Read> {
    try {
      return await read();
    } catch (cause) {
      this.failure = cause as Error;
      throw cause;
    }
  }
}

const shown = ({ key, held }: Fact): FactRead => ({
  key,
  value: isSealed(held) ? redactedText(held.sealed.type) : held.value,
});
