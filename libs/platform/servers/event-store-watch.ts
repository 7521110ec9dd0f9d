import type { Logger } from 'pino';
import { type SurveyedHost, survey } from '#event-store/survey.js';
import { BackgroundLoop } from '../background-loop.js';
import { BadConfig } from '../config/bad-config.js';

const ROUND_MS = 5_000;

/** The releases on which the product was run. */
const TRIED = /^(24\.6|24\.10|25\.[01])\./;

/** A connection string with the server's own administrator as its user. */
const AS_ADMIN = /^\s*[a-z+]+:\/\/admin:/;

/** The event store as the watch last saw it. */
export interface EventStoreState {
  /** The version of the first host that answered; undefined before any host has answered. */
  readonly version: string | undefined;
  /** Why each host that cannot be used cannot be used. */
  readonly faults: readonly string[];
}

/**
 * Watches the hosts of the event store's connection string, and logs each change of what they answer. The
 * health check shows the last state.
 */
export class EventStoreWatch {
  private readonly loop = new BackgroundLoop(async () => {
    await this.look();
    return ROUND_MS;
  });
  private current: EventStoreState = { version: undefined, faults: [] };

  private constructor(
    private readonly url: string,
    private readonly logger: Logger,
  ) {}

  /**
   * Surveys the event store for the first time, and watches it from then on. @throws BadConfig if no host
   * can be used until a person changes a setting.
   */
  static async start(url: string, logger: Logger): Promise<EventStoreWatch> {
    const watch = new EventStoreWatch(url, logger);
    if (AS_ADMIN.test(url))
      logger.warn({
        type: 'event_store_admin',
        what_to_do:
          'The service connects as admin, which may delete streams and change rights. Make a user of its own with: mace event-store setup',
      });
    const hosts = await survey(url);
    const wrong = hosts.find(({ diagnosis }) => diagnosis?.kind === 'setting');
    if (wrong !== undefined && hosts.every(({ diagnosis }) => diagnosis !== undefined))
      throw new BadConfig(`The event store cannot be used: ${wrong.diagnosis?.sentence}`);
    watch.note(hosts);
    watch.loop.start(ROUND_MS);
    return watch;
  }

  get state(): EventStoreState {
    return this.current;
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  async look(): Promise<void> {
    this.note(await survey(this.url));
  }

  private note(hosts: readonly SurveyedHost[]): void {
    const before = this.current;
    this.current = {
      version: hosts.find(({ version }) => version !== undefined)?.version ?? before.version,
      faults: hosts.flatMap(({ diagnosis }) => diagnosis?.sentence ?? []),
    };
    this.logChange(before, this.current);
  }

  private logChange(before: EventStoreState, { version, faults }: EventStoreState): void {
    if (version !== undefined && version !== before.version) {
      this.logger.info({ type: 'event_store_version', version });
      if (!TRIED.test(version))
        this.logger.warn(
          { type: 'event_store_version_untried', version },
          'This release of the event store has not been tried with MACE Memory.',
        );
    }
    if (faults.join('\n') === before.faults.join('\n')) return;
    if (faults.length === 0) this.logger.info({ type: 'event_store_recovered' });
    for (const reason of faults) this.logger.warn({ type: 'event_store_host_unusable', reason });
  }
}
