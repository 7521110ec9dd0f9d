import type { Logger } from 'pino';
import type { EventStore } from '#event-store/event-store.js';
import type { Postgres } from '#read-model/postgres.js';
import type { ServiceConfig } from './config/service-config.js';

/** How a read model stands, for health and metrics. */
export interface ReadModelStatus {
  readonly name: string;
  /** The commit position it has reached; undefined: nothing yet. */
  readonly position: bigint | undefined;
  /** Where and why it stopped, if an event was poison to it. */
  readonly stopped: { readonly position: bigint; readonly reason: string } | undefined;
  /** When its owner was last seen at work. */
  readonly heartbeat_at: string | undefined;
}

/** The read models, whichever process projects them. */
export interface ReadModels {
  /**
   * Resolves once the named read models (all, if none is named) have passed `position`; refuses with
   * PROJECTION_LAG after 2 s.
   */
  reach(position: bigint, names?: readonly string[]): Promise<void>;
  status(): Promise<readonly ReadModelStatus[]>;
  /** Asks the owner to rebuild one beside the live one (SPEC X5). */
  rebuild(name: string): Promise<void>;
}

/** An embedded server, as health shows it. */
export interface EmbeddedServer {
  readonly name: string;
  readonly running: boolean;
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
