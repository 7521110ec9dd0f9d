import { randomUUID } from 'node:crypto';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Fact, SemStreamState } from '#projections/sem/queries.js';
import { RedisLink, type Trace } from './redis-link.js';

/** What the cache knew of a key when it was asked. */
export interface Looked {
  /** Under which a row that is read from now on may be filled in. */
  readonly namespace: string;
  /** A row of the read model as it once was; undefined for a miss. */
  readonly state: SemStreamState | undefined;
}

export interface FactCacheOptions {
  /** Undefined: there is no cache. */
  readonly url: string | undefined;
  /** Tells installations apart that share a Redis. */
  readonly installation: string;
  /** Told once an outage, with a code (SPEC §10, CACHE_ERROR). */
  readonly onError: (reason: string, trace: Trace | undefined) => void;
  readonly onUp: () => void;
}

/** SPEC S9 */
const LIFETIME_MS = '60000';

/*
 * An entry is one string: its namespace, the stream's revision, and the fact as JSON, each behind a line
 * break; without the fact it is a tombstone: what is older than its revision may not come back.
 */
const TOMBSTONE = '';

/** Takes a row in, unless the namespace has changed since it was read, or a newer entry stands. */
const FILL = `
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  local held = redis.call('GET', KEYS[2])
  if held then
    local namespace, revision = string.match(held, '^([^\\n]*)\\n(%d+)\\n')
    if namespace == ARGV[1] and tonumber(revision) > tonumber(ARGV[2]) then return 0 end
  end
  redis.call('SET', KEYS[2], ARGV[1] .. '\\n' .. ARGV[2] .. '\\n' .. ARGV[3], 'PX', ARGV[4])
  return 1`;

/** Leaves a tombstone, unless what stands is of that revision or a newer one. */
const INVALIDATE = `
  local current = redis.call('GET', KEYS[1])
  if not current then return 0 end
  local held = redis.call('GET', KEYS[2])
  if held then
    local namespace, revision = string.match(held, '^([^\\n]*)\\n(%d+)\\n')
    if namespace == current and tonumber(revision) >= tonumber(ARGV[1]) then return 0 end
  end
  redis.call('SET', KEYS[2], current .. '\\n' .. ARGV[1] .. '\\n', 'PX', ARGV[2])
  return 1`;

/**
 * Rows of the sem read model in Redis (SPEC S9). It never fails: while Redis does, it knows nothing.
 *
 * An entry is no proof of being current. Writes invalidate it before they are acknowledged, but not every
 * write can: a process may die after its append, or reach the log and not this Redis while others do. So
 * whoever gets an entry compares its revision with the last event of the key's stream (SPEC S6).
 */
export class FactCache implements OnApplicationShutdown {
  private readonly link: RedisLink | undefined;
  private readonly prefix: string;

  constructor(options: FactCacheOptions) {
    this.prefix = `mace:{${options.installation}}:sem`;
    if (options.url === undefined) return;
    this.link = new RedisLink({
      url: options.url,
      // A new namespace before use: this process, now or in its last life, may have missed writes.
      prepare: async (redis) => void (await redis.SET(this.namespaceKey, randomUUID())),
      onDown: options.onError,
      onUp: options.onUp,
    });
  }

  /** What is remembered of a key; undefined while there is no cache. */
  async lookUp(key: string, trace?: Trace): Promise<Looked | undefined> {
    const keys = [this.namespaceKey, this.entryKey(key)];
    const found = await this.link?.ask((redis) => redis.MGET(keys), trace);
    if (found === undefined) return undefined;
    const [namespace, entry] = found;
    if (typeof namespace === 'string') return { namespace, state: stateOf(namespace, entry) };
    this.link?.reset(new NamespaceLost());
    return undefined;
  }

  /** Remembers what was read after a look-up. Nobody needs to wait for it. */
  async fill(key: string, { namespace }: Looked, state: SemStreamState): Promise<void> {
    if (state.revision < 0) return;
    const { fact = null, revision } = state;
    const keys = [this.namespaceKey, this.entryKey(key)];
    const args = [namespace, String(revision), JSON.stringify(fact), LIFETIME_MS];
    await this.link?.ask((redis) => redis.EVAL(FILL, { keys, arguments: args }));
  }

  /** A key's stream has come to a revision: whatever is older is forgotten when this resolves. */
  async invalidate(key: string, revision: number, trace?: Trace): Promise<void> {
    const keys = [this.namespaceKey, this.entryKey(key)];
    const args = [String(revision), LIFETIME_MS];
    await this.link?.tell((redis) => redis.EVAL(INVALIDATE, { keys, arguments: args }), trace);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.link?.close();
  }

  private get namespaceKey(): string {
    return `${this.prefix}:namespace`;
  }

  private entryKey(key: string): string {
    return `${this.prefix}:fact:${key}`;
  }
}

/** Somebody emptied Redis. */
class NamespaceLost extends Error {
  readonly code = 'NAMESPACE_LOST';
}

function stateOf(namespace: string, entry: string | null | undefined): SemStreamState | undefined {
  const [under, revision, fact] = (entry ?? '').split('\n', 3);
  if (under !== namespace || fact === undefined || fact === TOMBSTONE) return undefined;
  return { revision: Number(revision), fact: (JSON.parse(fact) as Fact | null) ?? undefined };
}
