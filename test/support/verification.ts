import { Caller } from './caller.js';
import type { ServiceClient } from './service-client.js';

interface Finding {
  readonly stream: string;
}

interface Run {
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly findings: readonly Finding[];
}

/** Verifies the whole log and every decision in it, and returns what was found. */
export async function verificationFindings(service: ServiceClient): Promise<readonly Finding[]> {
  const auditor = await Caller.of(service, 'auditor');
  const { started_at } = await auditor.post<Run>('integrity/verification', { decisions: true });
  for (;;) {
    const { last } = await auditor.get<{ last: Run | null }>('integrity/findings');
    if (last?.started_at === started_at && last.finished_at !== null) return last.findings;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
