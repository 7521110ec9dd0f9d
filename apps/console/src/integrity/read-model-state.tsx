import type { ProjectionStatus } from '#client/index.js';
import { Badge } from '../ui/badge';

export type ReadModel = ProjectionStatus;

/** Without a heartbeat for this time, nobody projects the read model. */
const SILENT_SECONDS = 15;
/** A lag below this is the usual pause between two batches. */
const LAG_SECONDS = 5;

export const isLed = ({ heartbeat_seconds_ago: ago }: ReadModel): boolean =>
  ago !== null && ago < SILENT_SECONDS;

export const isBehind = ({ lag_seconds }: ReadModel): boolean => (lag_seconds ?? 0) > LAG_SECONDS;

/** Returns the share of the log that a rebuild has read, in percent; undefined if it is not known. */
function rebuilt({ rebuilt_to }: ReadModel, logEnd: string | null): number | undefined {
  if (rebuilt_to === null || logEnd === null || logEnd === '0') return undefined;
  return Math.min(100, Number((BigInt(rebuilt_to) * 100n) / BigInt(logEnd)));
}

interface StateBadgeProps {
  readonly model: ReadModel;
  readonly logEnd: string | null;
}

/** The state of a read model; the first one that applies. */
export function StateBadge({ model, logEnd }: StateBadgeProps) {
  if (model.stopped !== null) return <Badge kind="bad">stopped</Badge>;
  if (!isLed(model)) return <Badge kind="bad">no process projects it</Badge>;
  if (model.another_log !== null) return <Badge kind="warning">rebuilt for another log</Badge>;
  if (model.rebuilding) {
    const percent = rebuilt(model, logEnd);
    return <Badge kind="warning">rebuilding{percent === undefined ? '' : `, ${percent} %`}</Badge>;
  }
  if (model.filling) return <Badge kind="warning">being filled</Badge>;
  if (isBehind(model)) return <Badge kind="warning">behind</Badge>;
  return <Badge kind="good">follows the log</Badge>;
}
