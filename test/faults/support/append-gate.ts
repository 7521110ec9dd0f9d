import type { DynamicModule } from '@nestjs/common';
import { EVENT_STORE } from '#apps/api/platform/tokens.js';
import type { EventStore, EventToAppend } from '#event-store/event-store.js';

/** Which append a test holds: the next one to streams of a category, or the next that a condition is true of. */
type Which = string | ((stream: string, events: readonly EventToAppend[]) => boolean);

/** An append that a test holds. */
interface HeldAppend {
  readonly which: Which;
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
   * Holds the next append of this kind. @param dies true if the process has no answer from the append: it is in the log,
   * and nothing follows
   */
  next(which: Which, { dies = false } = {}) {
    let arrive = (): void => undefined;
    let release = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));
    this.#held.push({ which, arrive, released, dies });
    return { arrived, release: () => release() };
  }

  #hold(log: EventStore): EventStore {
    const append = log.append.bind(log);
    log.append = async (stream, expected, events) => {
      const at = this.#held.findIndex(({ which }) =>
        typeof which === 'string' ? stream.startsWith(`${which}-`) : which(stream, events),
      );
      const [held] = at === -1 ? [] : this.#held.splice(at, 1);
      held?.arrive();
      await held?.released;
      const appended = await append(stream, expected, events);
      if (held?.dies === true) throw new Error('the process died');
      return appended;
    };
    return log;
  }
}
