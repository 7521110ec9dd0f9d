import type { DynamicModule } from '@nestjs/common';
import { EVENT_STORE } from '#apps/api/platform/tokens.js';
import type { EventStore } from '#event-store/event-store.js';

/** An append that a test holds. */
interface HeldAppend {
  readonly category: string;
  readonly arrive: () => void;
  readonly released: Promise<void>;
  readonly dies: boolean;
}

/** Holds appends of one service in this process, as a slow network or a paused process does. */
export class AppendGate {
  readonly #held: HeldAppend[] = [];

  /** A module to start the service with. */
  readonly module: DynamicModule = {
    module: class HeldAppends {},
    providers: [
      {
        provide: 'HELD_APPENDS',
        inject: [EVENT_STORE],
        useFactory: (log: EventStore) => this.#hold(log),
      },
    ],
  };

  /**
   * Holds the next append to a stream of a category. @param dies true if the process has no answer from the append: it
   * is in the log, and nothing follows
   */
  next(category: string, { dies = false } = {}) {
    let arrive = (): void => undefined;
    let release = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));
    this.#held.push({ category, arrive, released, dies });
    return { arrived, release: () => release() };
  }

  #hold(log: EventStore): EventStore {
    const append = log.append.bind(log);
    log.append = async (stream, ...rest) => {
      const at = this.#held.findIndex(({ category }) => stream.startsWith(`${category}-`));
      const [held] = at === -1 ? [] : this.#held.splice(at, 1);
      held?.arrive();
      await held?.released;
      const appended = await append(stream, ...rest);
      if (held?.dies === true) throw new Error('the process died');
      return appended;
    };
    return log;
  }
}
