import type { LogVerification } from '#client/reflective-logs.js';
import { EXIT } from '../exit-code.js';
import { connect, type ServiceOptions } from '../service/connection.js';
import { coloursFor } from '../terminal/colour.js';
import { counted, printJson } from '../terminal/output.js';

/** The timeout in ms. It is long, because the service reads its whole log. */
const PATIENCE_MS = 30 * 60_000;

/** `mace verify --reflective`: asks the service to check its signed logs, and prints the findings (SPEC L5). */
export async function verifyReflectiveLogs(
  options: ServiceOptions & { readonly json?: boolean },
): Promise<void> {
  const client = await connect(
    options,
    { sub: 'mace-verify', roles: ['auditor'] },
    { timeoutMs: PATIENCE_MS },
  );
  const report = await client.reflectiveLogs.verify();
  if (options.json) printJson(report);
  else print(report);
  if (report.findings.length > 0) process.exitCode = EXIT.broken;
}

function print({ checked, intact, findings }: LogVerification): void {
  const { green, red, dim } = coloursFor(process.stdout);
  for (const { log_id, fault, reason, quarantine_id, healed } of findings) {
    const what = quarantine_id === null ? '' : dim(`  quarantined as ${quarantine_id}`);
    const outcome = healed ? green('healed') : red('NOT healed');
    console.log(`${red(fault.toUpperCase())}  ${log_id}  ${reason}, ${outcome}${what}`);
  }
  console.log(`${counted(checked, 'log')} checked, ${counted(intact, 'log')} intact`);
}
