import { Button } from '../../ui/button';
import { downloadJson } from '../../ui/download';
import type { Check } from './replay-banner';
import { reportFile } from './report-file';

interface SaveReportProps {
  readonly seed: string;
  readonly check: Check;
}

/** Saves what a replay has found, to be compared with a later one: the service keeps no earlier replays. */
export const SaveReport = ({ seed, check }: SaveReportProps) => (
  <Button
    onClick={() =>
      downloadJson(`${seed.replaceAll(':', '_')}.replay.json`, reportFile(seed, check))
    }
  >
    Save the report
  </Button>
);
