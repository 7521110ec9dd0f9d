import type { ReplayReport } from '#client/index.js';
import type { Json } from '#domain/json.js';
import { isObject } from '#domain/replay/bundle.js';
import type { Check } from './replay-banner';

/** The file of a replay’s report. It has no signature. */
export interface ReportFile {
  readonly kind: 'replay_report';
  readonly job_seed: string;
  readonly checked_at: string;
  readonly checked_by: string;
  /** Null if the service did not say it. */
  readonly service_version: string | null;
  readonly report: Check['report'];
}

export const reportFile = (job_seed: string, { report, by, at, version }: Check): ReportFile => ({
  ...{ kind: 'replay_report', job_seed, checked_at: at, checked_by: by },
  ...{ service_version: version ?? null, report },
});

export const checkOf = ({
  report,
  checked_by: by,
  checked_at: at,
  service_version: version,
}: ReportFile): Check => ({ report, by, at, ...(version !== null && { version }) });

/** A report has at most two events of a job, and the texts around them. */
export const MAX_REPORT_BYTES = 4 * 1024 * 1024;

/** Returns the report in a text. @throws Error for one that is cut off or has another form */
export function readReportFile(text: string): ReportFile {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw new Error('The report of a replay is cut off, or is not JSON.');
  }
  if (!isReportFile(value))
    throw new Error('The report of a replay lacks something that each has.');
  return value;
}

const isTime = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
/** No name and no stored hash has more characters. */
const MAX_NAME = 512;
const isName = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_NAME;
const isHash = (value: unknown): boolean =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const isReportFile = (value: Json): value is Json & ReportFile =>
  isObject(value) &&
  value['kind'] === 'replay_report' &&
  isName(value['job_seed']) &&
  isName(value['checked_by']) &&
  isTime(value['checked_at']) &&
  (value['service_version'] === null || isName(value['service_version'])) &&
  isReport(value['report']);

const CODES = ['REPLAY_DIVERGENCE', 'INTEGRITY_FAILURE'] satisfies ReplayReport['code'][];

/** One that is not identical says why and where. The last event’s hash is as it is stored: somebody may have changed it. */
const isReport = (value: Json | undefined): boolean =>
  isObject(value) &&
  isName(value['head_hash']) &&
  isHash(value['content_hash']) &&
  (value['state_hash'] === null || isHash(value['state_hash'])) &&
  isCount(value['events_checked']) &&
  isCount(value['owed']) &&
  (value['identical'] === true
    ? value['divergence'] === undefined
    : value['identical'] === false &&
      CODES.some((code) => code === value['code']) &&
      isObject(value['divergence']) &&
      isCount(value['divergence']['number']));
