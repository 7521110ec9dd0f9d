/** One check of `/health/ready`. */
interface Check {
  readonly status: 'up' | 'down';
  readonly reason?: string;
  readonly stopped?: {
    readonly stream: string;
    readonly number: number;
    readonly reason: string;
  } | null;
}

/** Why the service cannot do its work now, a sentence for each reason; empty if it can. */
export type Problems = readonly string[];

const NAMES: Readonly<Record<string, string>> = {
  event_store: 'The event store',
  postgres: 'Postgres',
  projections: 'The read models',
};
const HEALTHY: Problems = [];
const UNREACHABLE: Problems = ['The service cannot be reached.'];
const TIMEOUT_MS = 5_000;
/** The time in ms between two checks of a service that had a problem, and of one that had none. */
const SOON_MS = 2_000;
const LATER_MS = 30_000;

type Named = readonly [name: string, check: Check];

const isBehind = ([name, { stopped }]: Named): boolean =>
  name.startsWith('projection_') && !stopped;

/** Says once what is so of several read models. */
function sentencesOf(down: readonly Named[]): Problems {
  const behind = down.filter(isBehind);
  const reasons = new Set(behind.map(([, { reason }]) => reason));
  if (behind.length < 3 || reasons.size > 1) return down.map(sentenceOf);
  const [reason = 'they are not running'] = reasons;
  const others = down.filter((one) => !isBehind(one)).map(sentenceOf);
  return [...others, `${behind.length} read models are behind: ${reason}.`];
}

const sentenceOf = ([name, { reason, stopped }]: Named): string => {
  const model = /^projection_(.*)$/.exec(name)?.[1];
  const what = NAMES[name] ?? `The ${(model ?? name).replaceAll('_', ' ')}`;
  if (stopped)
    return `${what} read model stopped at ${stopped.stream}/${stopped.number}: ${stopped.reason}.`;
  const why = reason ?? 'it is not running';
  return model === undefined
    ? `${what} is not available: ${why}.`
    : `The read model ${model.replaceAll('_', ' ')} is behind: ${why}.`;
};

async function problemsNow(): Promise<Problems> {
  try {
    const response = await fetch('/health/ready', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.ok) return HEALTHY;
    const { details } = (await response.json()) as { details: Readonly<Record<string, Check>> };
    const down = Object.entries(details).filter(([, { status }]) => status === 'down');
    return sentencesOf(down);
  } catch {
    return UNREACHABLE;
  }
}

/** Knows whether the service can do its work. It asks while the tab is visible, and at once after a failure. */
class ServiceHealth {
  problems: Problems = HEALTHY;
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isChecking = false;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    if (this.listeners.size === 1) this.check();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) clearTimeout(this.timer);
    };
  };

  readonly current = (): Problems => this.problems;

  /** Asks the service now. */
  check(): void {
    if (this.isChecking || this.listeners.size === 0) return;
    this.isChecking = true;
    clearTimeout(this.timer);
    void problemsNow().then((problems) => {
      this.isChecking = false;
      const isNew = problems.join('\n') !== this.problems.join('\n');
      if (isNew) {
        this.problems = problems;
        for (const listener of this.listeners) listener();
      }
      this.timer = setTimeout(() => this.checkIfSeen(), problems.length === 0 ? LATER_MS : SOON_MS);
    });
  }

  private checkIfSeen(): void {
    if (!document.hidden) return this.check();
    document.addEventListener('visibilitychange', () => this.check(), { once: true });
  }
}

export const serviceHealth = new ServiceHealth();
