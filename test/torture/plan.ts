import type { Random } from './random.js';

export const PROCESSES = ['event-store', 'postgres', 'service-1', 'service-2'] as const;
export type ProcessName = (typeof PROCESSES)[number];

export const SERVERS = ['event-store', 'postgres'] as const;
export type ServerName = (typeof SERVERS)[number];

/** The connection of one instance to one server, such as `service-1 to postgres`. */
export interface Link {
  readonly instance: 0 | 1;
  readonly server: ServerName;
}

/** A fault and its duration in ms; a cut or a half-closed connection has none. */
export type Fault =
  | { readonly kind: 'kill'; readonly process: ProcessName; readonly ms: number }
  | { readonly kind: 'terminate'; readonly process: ProcessName; readonly ms: number }
  | { readonly kind: 'freeze'; readonly process: ProcessName; readonly ms: number }
  | { readonly kind: 'cut'; readonly link: Link }
  | { readonly kind: 'half-close'; readonly link: Link; readonly toward: 'client' | 'server' }
  | { readonly kind: 'stall'; readonly link: Link; readonly ms: number }
  | { readonly kind: 'refuse'; readonly link: Link; readonly ms: number }
  | { readonly kind: 'full-disk'; readonly server: ServerName; readonly ms: number };

export type FaultKind = Fault['kind'];

/** The lanes run at the same time. Each lane has one fault after the other. */
export const LANES = ['processes', 'connections', 'disks'] as const;
export type Lane = (typeof LANES)[number];

export interface PlannedFault {
  /** The pause before the fault, in ms. */
  readonly after: number;
  readonly fault: Fault;
}

const aLink = (random: Random): Link => ({
  instance: random.pick([0, 1]),
  server: random.pick(SERVERS),
});

function ofProcess(process: ProcessName, random: Random): Fault {
  const kind = random.pick(['kill', 'kill', 'freeze', 'terminate'] as const);
  // A process that stands still may outlast every timeout of the others.
  const ms = random.chance(0.15) ? random.between(8_000, 20_000) : random.between(0, 4_000);
  return { kind, process, ms };
}

const FAULT_OF: Readonly<Record<Lane, (random: Random) => Fault>> = {
  processes: (random) => ofProcess(random.pick(PROCESSES), random),
  connections: (random) => {
    const link = aLink(random);
    const kind = random.pick(['cut', 'cut', 'half-close', 'stall', 'refuse'] as const);
    switch (kind) {
      case 'cut':
        return { kind, link };
      case 'half-close':
        return { kind, link, toward: random.pick(['client', 'server'] as const) };
      default:
        return { kind, link, ms: random.between(500, 12_000) };
    }
  },
  disks: (random) => ({
    kind: 'full-disk',
    server: random.pick(SERVERS),
    ms: random.between(2_000, 12_000),
  }),
};

const PAUSE: Readonly<Record<Lane, readonly [number, number]>> = {
  processes: [500, 6_000],
  connections: [500, 7_000],
  disks: [8_000, 25_000],
};

/** Yields the faults of a lane, without end. The same seed always gives the same plan. */
export function* planOf(lane: Lane, random: Random): Generator<PlannedFault> {
  for (;;) yield { after: random.between(...PAUSE[lane]), fault: FAULT_OF[lane](random) };
}

/** Yields faults of the event store's process alone, without end. */
export function* nodeFaults(random: Random): Generator<PlannedFault> {
  for (;;)
    yield { after: random.between(...PAUSE.processes), fault: ofProcess('event-store', random) };
}

export const describeLink = ({ instance, server }: Link): string =>
  `service-${instance + 1} to ${server}`;

export function describeFault(fault: Fault): string {
  const lasting = 'ms' in fault ? ` for ${fault.ms} ms` : '';
  if ('process' in fault) return `${fault.kind} ${fault.process}${lasting}`;
  if ('server' in fault) return `${fault.kind} of ${fault.server}${lasting}`;
  const toward = fault.kind === 'half-close' ? ` toward the ${fault.toward}` : '';
  return `${fault.kind} ${describeLink(fault.link)}${toward}${lasting}`;
}
