import type { Logger } from 'pino';
import type { EventStore } from '#event-store/event-store.js';
import type { Postgres } from '#read-model/postgres.js';
import type { ServiceConfig } from './config/service-config.js';

/** How a read model stands, as any process can see it in Postgres. */
export interface ReadModelStatus {
  readonly name: string;
  /** The commit position up to which it shows the log; undefined: nothing yet. */
  readonly position: bigint | undefined;
  /** Where it stopped, if an event was poison to it. */
  readonly stopped:
    | {
        readonly position: bigint;
        readonly stream: string;
        readonly number: number;
        readonly reason: string;
      }
    | undefined;
  readonly rebuilding: boolean;
  /** Seconds since whoever projects it was last seen at work; undefined: never. */
  readonly heartbeatSecondsAgo: number | undefined;
}

/** The read models, whichever process projects them. */
export interface ReadModels {
  readonly names: readonly string[];
  /**
   * Resolves once the named read models have passed `position`; refuses with PROJECTION_LAG after 2 s. Fails with `PostgresUnavailable`.
   */
  reach(position: bigint, names: readonly string[]): Promise<void>;
  /**
   * The position up to which the named read models are known to show the log; undefined where it is not known,
   * or somebody waits for more.
   */
  shown(names: readonly string[]): bigint | undefined;
  /**
   * Says that the named read models will be asked to reach a position, so that they can begin already; until
   * the returned function is called.
   */
  expect(names: readonly string[]): () => void;
  /** Fails with `PostgresUnavailable`. */
  status(): Promise<readonly ReadModelStatus[]>;
  /** Asks the owner to rebuild one beside the live one (SPEC X5). Refuses with NOT_FOUND. */
  rebuild(name: string): Promise<void>;
}

/** An embedded server, as health shows it. */
export interface EmbeddedServer {
  readonly name: string;
  readonly pid: number;
  readonly running: boolean;
  /** How often it ended by itself and was started again since the service started. */
  readonly restarts: number;
  readonly last_crash_at?: string;
}

/** What is opened before the service starts and closed after it has stopped. */
export interface Resources {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly eventStore: EventStore;
  readonly postgres: Postgres;
  readonly readModels: ReadModels;
  readonly embedded: () => readonly EmbeddedServer[];
}
