import { setTimeout as delay } from 'node:timers/promises';
import type { Deployment } from './deployment.js';
import { describeFault, type Fault, type PlannedFault } from './plan.js';
import type { Random } from './random.js';

const FREE_PAGES = 16;

/** Counts the faults that were injected into the deployment. */
export class FaultRecord {
  readonly byKind = new Map<string, number>();
  /** The signals by process, such as `SIGKILL event-store`. */
  readonly signals = new Map<string, number>();
  /** Faults that the machine does not allow, such as a full disk without the right to mount one. */
  readonly skipped = new Map<string, number>();
  readonly present = new Set<Fault>();

  note(fault: Fault, wasDone: boolean): void {
    count(wasDone ? this.byKind : this.skipped, fault.kind);
    if (wasDone && 'process' in fault)
      count(this.signals, `${SIGNALS[fault.kind]} ${fault.process}`);
  }
}

const SIGNALS = { kill: 'SIGKILL', terminate: 'SIGTERM', freeze: 'SIGSTOP' } as const;

const count = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

/** Carries out the planned faults, one after the other, until the signal aborts. */
export async function injectFaults(
  deployment: Deployment,
  plan: Iterable<PlannedFault>,
  pages: Random,
  record: FaultRecord,
  until: AbortSignal,
  log: (line: string) => void,
): Promise<void> {
  for (const { after, fault } of plan) {
    await delay(after, undefined, { signal: until }).catch(() => undefined);
    if (until.aborted) return;
    log(`fault: ${describeFault(fault)}`);
    record.present.add(fault);
    record.note(fault, await inject(deployment, fault, pages));
    record.present.delete(fault);
    log(`fault over: ${describeFault(fault)}`);
  }
}

/** Carries out a fault, and resolves when it is over. Returns false if the fault was not possible. */
async function inject(deployment: Deployment, fault: Fault, pages: Random): Promise<boolean> {
  switch (fault.kind) {
    case 'kill':
      return deployment.process(fault.process).end('SIGKILL', fault.ms);
    case 'terminate':
      return deployment.process(fault.process).end('SIGTERM', fault.ms);
    case 'freeze':
      return deployment.process(fault.process).freeze(fault.ms);
    case 'cut':
      deployment.link(fault.link).cut();
      return true;
    case 'half-close':
      deployment.link(fault.link).halfClose(fault.toward);
      return true;
    case 'stall': {
      const link = deployment.link(fault.link);
      link.stall();
      await delay(fault.ms);
      link.flow();
      return true;
    }
    case 'refuse': {
      const link = deployment.link(fault.link);
      link.disconnect();
      await delay(fault.ms);
      link.reconnect();
      return true;
    }
    case 'full-disk': {
      const disk = deployment.disk(fault.server);
      if (disk === undefined || !(await disk.fill(pages.between(0, FREE_PAGES)))) return false;
      await delay(fault.ms);
      await disk.empty();
      return true;
    }
  }
}
