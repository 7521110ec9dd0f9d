import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { HEAD_CHARACTERS, otherFileOf } from '#domain/replay/other-files.js';
import type { BundleReport } from '#domain/replay/verify-bundle.js';
import { seedOfJobStream } from '#domain/stream-names.js';
import { type OpenedFile, useOpenedFile } from '../../bundle/use-opened-file';
import { useMace } from '../../session/session-provider';
import { serviceRecord } from '../record/service-record';
import { MAX_REPORT_BYTES, readReportFile, type ReportFile } from '../replay/report-file';
import type { ComparedSide } from './compared-side';

export type OpenedBundleFile = Extract<OpenedFile, { readonly kind: 'bundle' }>;

/** True if a file has a job with at least one event. */
export const hasJob = (file: OpenedFile): file is OpenedBundleFile =>
  file.kind === 'bundle' && file.isJob && file.report.replay !== undefined;

/** True if the content of a bundle is not whole. One whose decisions diverge has all of its events. */
export const isBroken = ({ finding }: BundleReport): boolean =>
  finding !== undefined && finding.problem !== 'diverged';

interface SideAsked {
  /** The seed in the address; empty without one. A file takes its place. */
  readonly seed: string;
  readonly trusted: readonly string[];
  /** Takes the seed of a report as the seed of this side, which has none. */
  readonly takeSeed: (seed: string) => void;
}

/** One side of a comparison: a job of the service, or a file in its place; and the saved report of an earlier replay. */
export function useSide({ seed, trusted, takeSeed }: SideAsked) {
  const mace = useMace();
  const { open, opened, signature } = useOpenedFile(trusted);
  const side = useMemo((): ComparedSide | undefined => {
    if (!open.isIdle) return opened === undefined ? undefined : sideOfFile(opened);
    if (seed === '') return undefined;
    const record = serviceRecord(mace, seed);
    return { seed, name: seed, isFile: false, isIntact: true, record };
  }, [mace, seed, open.isIdle, opened]);
  const report = useMutation({
    networkMode: 'always',
    mutationFn: async (file: File): Promise<ReportFile> => {
      if (file.size > MAX_REPORT_BYTES)
        throw new Error(`No report of a replay has more than ${MAX_REPORT_BYTES} bytes.`);
      const read = readReportFile(await file.text());
      if (side === undefined) takeSeed(read.job_seed);
      else if (side.seed !== read.job_seed)
        throw new Error(`The report is of job ${read.job_seed}, and this side has ${side.seed}.`);
      return read;
    },
  });
  const take = async (file: File): Promise<void> => {
    report.reset();
    const head = await file.slice(0, HEAD_CHARACTERS).text();
    if (otherFileOf(head) === 'replay_report') report.mutate(file);
    else open.mutate(file);
  };
  return {
    ...{ side, opened, signature, take },
    isOpening: open.isPending,
    hasFile: !open.isIdle,
    error: report.error ?? open.error,
    // A side that got another job does not keep the report of the job before.
    report: report.data?.job_seed === side?.seed ? report.data : undefined,
    closeFile: open.reset,
    closeReport: report.reset,
  };
}

export type SideChoice = ReturnType<typeof useSide>;

function sideOfFile(opened: OpenedFile): ComparedSide | undefined {
  if (!hasJob(opened)) return undefined;
  const { name, record, report } = opened;
  const seed = seedOfJobStream(report.header?.stream ?? '');
  return { seed, name, isFile: true, isIntact: !isBroken(report), record };
}
