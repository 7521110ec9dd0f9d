import { randomUUID } from 'node:crypto';
import type { OnApplicationShutdown } from '@nestjs/common';
import { semStream } from '#domain/stream-names.js';
import type { Fact, SemStreamState } from '#projections/sem/queries.js';
import type { RowMacs } from '#read-model/row-macs.js';
import { RedisLink, type Trace } from './redis-link.js';

/** The result of a look-up in the cache. */
export interface CacheLookup {
  /** The namespace at the look-up. `fill` stores a row only if this namespace is still current. */
  readonly namespace: string;
  /** A row of the read model, perhaps outdated; undefined for a miss. */
  readonly state: SemStreamState | undefined;
}

export interface FactCacheOptions {
  /** The URL of Redis; undefined if no cache is configured. */
  readonly url: string | undefined;
  /** The id of the installation, because several may share a Redis. */
  readonly installation: string;
  /** The key of the entries' MACs. */
  readonly macs: RowMacs;
  /** Called once per outage, with a code (SPEC §10, CACHE_ERROR). */
  readonly onError: (reason: string, trace: Trace | undefined) => void;
  /** Called when Redis answers again after an outage. */
  readonly onUp: () => void;
}

/** The lifetime of an entry in ms (SPEC S9). */
const LIFETIME_MS = '60000';

/**
 * The text that a tombstone contains in place of the fact. An entry is one string: its namespace, the
 * stream's revision, and the fact as JSON after its MAC, separated by line breaks. An entry without the
 * MAC and the fact is a tombstone, which prevents `fill` from storing an older revision.
 */
const TOMBSTONE = '';

/** Lua: stores a row, unless the namespace has changed since the look-up or a newer entry exists. */
const FILL = `
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  local held = redis.call('GET', KEYS[2])
  if held then
    local namespace, revision = string.match(held, '^([^\\n]*)\\n(%d+)\\n')
    if namespace == ARGV[1] and tonumber(revision) > tonumber(ARGV[2]) then return 0 end
  end
  redis.call('SET', KEYS[2], ARGV[1] .. '\\n' .. ARGV[2] .. '\\n' .. ARGV[3], 'PX', ARGV[4])
  return 1`;

/** Lua: stores a tombstone, unless the entry already has the tombstone's revision or a newer one. */
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
 * Caches rows of the sem read model in Redis (SPEC S9). It never fails: while Redis is down, look-ups return
 * undefined.
 * An entry may be outdated. A write invalidates its entry before it is acknowledged, but a process may die
 * after its append, or lose its connection to Redis. So the reader compares the entry's revision with the
 * last event of the key's stream (SPEC S6).
 */
export class FactCache implements OnApplicationShutdown {
  private readonly link: RedisLink | undefined;
  private readonly prefix: string;

  constructor(private readonly options: FactCacheOptions) {
    this.prefix = `mace:{${options.installation}}:sem`;
    if (options.url === undefined) return;
    this.link = new RedisLink({
      url: options.url,
      // A new namespace is needed, because this process may have missed invalidations.
      prepare: async (redis) => void (await redis.SET(this.namespaceKey, randomUUID())),
      onDown: options.onError,
      onUp: options.onUp,
    });
  }

  get isConfigured(): boolean {
    return this.link !== undefined;
  }

  /** Returns the result of a look-up; undefined if no cache is configured or Redis is down. */
  async lookUp(key: string, trace?: Trace): Promise<CacheLookup | undefined> {
    const keys = [this.namespaceKey, this.entryKey(key)];
    const found = await this.link?.send((redis) => redis.MGET(keys), trace);
    if (found === undefined) return undefined;
    const [namespace, entry] = found;
    if (typeof namespace === 'string')
      return { namespace, state: this.stateOf(namespace, key, entry ?? '') };
    this.link?.reset(new NamespaceLost());
    return undefined;
  }

  /** Stores a row that was read after a look-up. Callers do not need to wait for the result. */
  async fill(key: string, { namespace }: CacheLookup, state: SemStreamState): Promise<void> {
    if (state.revision < 0) return;
    const { fact = null, revision } = state;
    const keys = [this.namespaceKey, this.entryKey(key)];
    const json = JSON.stringify(fact);
    const covered = coveredText(namespace, key, String(revision), json);
    const mac = this.options.macs.macOf(covered).toString('base64');
    const args = [namespace, String(revision), `${mac}\n${json}`, LIFETIME_MS];
    await this.link?.send((redis) => redis.EVAL(FILL, { keys, arguments: args }));
  }

  /** Replaces entries older than this revision by a tombstone; resolves after they are gone. */
  async invalidate(key: string, revision: number, trace?: Trace): Promise<void> {
    const keys = [this.namespaceKey, this.entryKey(key)];
    const args = [String(revision), LIFETIME_MS];
    await this.link?.sendRequired(
      (redis) => redis.EVAL(INVALIDATE, { keys, arguments: args }),
      trace,
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.link?.close();
  }

  /**
   * Returns the state in an entry; undefined for a miss. An entry that another program has written is
   * reported and not used, so the read goes on with the row (SPEC S9).
   */
  private stateOf(namespace: string, key: string, entry: string): SemStreamState | undefined {
    const [entryNamespace, revision = '', mac, fact] = entry.split('\n', 4);
    if (entryNamespace !== namespace || mac === undefined || mac === TOMBSTONE) return undefined;
    const { macs } = this.options;
    const covered = coveredText(namespace, key, revision, fact ?? '');
    if (fact === undefined || !macs.isMacOf(covered, Buffer.from(mac, 'base64'))) {
      macs.report({ table: 'redis', stream: semStream(key), number: Number(revision) });
      return undefined;
    }
    return { revision: Number(revision), fact: (JSON.parse(fact) as Fact | null) ?? undefined };
  }

  private get namespaceKey(): string {
    return `${this.prefix}:namespace`;
  }

  private entryKey(key: string): string {
    return `${this.prefix}:fact:${key}`;
  }
}

/** The namespace is missing because Redis was emptied. */
class NamespaceLost extends Error {
  readonly code = 'NAMESPACE_LOST';
}

/** The text that an entry's MAC covers. The key keeps an entry from being used under another key. */
const coveredText = (namespace: string, key: string, revision: string, fact: string): string =>
  JSON.stringify(['redis', namespace, key, revision, fact]);
