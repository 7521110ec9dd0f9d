import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { OtherFileNotice } from '../../bundle/other-file-notice';
import { SignatureNotice } from '../../bundle/signature-notice';
import { Verdict } from '../../bundle/verdict';
import { Button } from '../../ui/button';
import { ErrorNotice } from '../../ui/error-notice';
import { Field } from '../../ui/field';
import { Instant } from '../../ui/instant';
import { Loading } from '../../ui/loading';
import { Message } from '../../ui/message';
import { useFileDrop } from '../../ui/use-file-drop';
import { VisibleText } from '../../ui/visible-text';
import styles from './compare.module.css';
import { hasJob, type SideChoice } from './use-side';

interface SideChooserProps {
  readonly name: 'Left' | 'Right';
  readonly of: SideChoice;
  /** The field of the seed, which a file replaces. */
  readonly children: ReactNode;
}

/** Takes a seed or a file for one side of the comparison; a file can also be dropped on it. */
export function SideChooser({ name, of, children }: SideChooserProps) {
  const { side, opened, report } = of;
  return (
    <fieldset className={styles.chooser} {...useFileDrop(of.take)}>
      <legend>{name}</legend>
      {!of.hasFile && children}
      <Field
        label={`${name} file`}
        hint="An exported bundle, or the saved report of a replay. Choose it, or drop it here."
      >
        {(field) => (
          <input
            {...field}
            type="file"
            accept=".ndjson,.json"
            onChange={({ target }) => {
              const file = target.files?.[0];
              if (file !== undefined) void of.take(file);
              // The same file can be chosen again after it was closed.
              target.value = '';
            }}
          />
        )}
      </Field>
      {of.isOpening && <Loading what="the file" />}
      {of.error !== null && <ErrorNotice error={of.error} />}
      {opened !== undefined && (
        <p>
          <strong>
            <VisibleText text={opened.name} />
          </strong>
          {side !== undefined && (
            <>
              {' '}
              · job{' '}
              <Link to="/jobs/$seed" params={{ seed: side.seed }}>
                <VisibleText text={side.seed} />
              </Link>
            </>
          )}
        </p>
      )}
      <FileNotice of={of} />
      {of.hasFile && <Button onClick={of.closeFile}>Close the file</Button>}
      {report !== undefined && (
        <p>
          With the report of a replay of <Instant at={report.checked_at} />{' '}
          <Button kind="quiet" onClick={of.closeReport}>
            Close the report
          </Button>
        </p>
      )}
    </fieldset>
  );
}

/** Says what the check of the file has found, in the words of the page that opens bundles. */
function FileNotice({ of: { opened, signature } }: { readonly of: SideChoice }) {
  if (opened === undefined) return null;
  const { name, checkedAt } = opened;
  if (opened.kind === 'other') return <OtherFileNotice of={opened.other} name={name} />;
  if (opened.kind !== 'bundle')
    return (
      <Message title={`○ The file is a ${opened.kind === 'receipt' ? 'receipt' : 'moment’s file'}`}>
        It is checked on <Link to="/bundle">another page</Link>. Only bundles of jobs are compared.
      </Message>
    );
  const { report } = opened;
  if (report.finding !== undefined)
    return <Verdict report={report} signature={signature} checkedAt={checkedAt} />;
  if (!hasJob(opened)) return <Message title="○ Only bundles of jobs with events are compared" />;
  return <SignatureNotice signature={signature} of="bundle" />;
}
