import { MAX_CHARACTERS } from '#domain/free-text.js';
import { useEffect, useRef, useState } from 'react';
import type { ActionRequest, Json } from '#client/index.js';
import { KeyHint } from '../keys/key-hint';
import { FORM_KEYS } from '../keys/key-table';
import { TAKES_KEYS, useFormKeys } from '../keys/use-keys';
import { Button } from '../ui/button';
import { TextArea, TextField } from '../ui/field';
import { submitting } from '../ui/form';
import { textOf } from '../ui/value-text';
import { type Decision, isUndoable } from './decision';
import type { DecisionMode, Draft } from './drafts';
import { ReasonTemplates } from './reason-templates';
import styles from './review.module.css';
import { type Kind, REJECTIONS, type ReasonCode } from './words';

/** The longest text in characters that the service takes. */

interface DecisionFormProps {
  readonly seen: ActionRequest;
  readonly mode: DecisionMode;
  readonly draft: Draft;
  readonly change: (part: Draft) => void;
  readonly send: (decision: Decision) => void;
  readonly isSending: boolean;
  readonly onClose: () => void;
}

const SEND_WORDS: Readonly<Record<DecisionMode, string>> = {
  approve: 'Approve',
  reject: 'Reject',
  revise: 'Propose these words',
  abstain: 'Abstain',
  ask: 'Ask',
};

/**
 * The words of a decision. Ctrl Enter sends them, Escape closes the form and keeps them. As long as it is open, what is
 * typed goes into it, wherever the focus is.
 */
export function DecisionForm(props: DecisionFormProps) {
  const { seen, mode, draft, change, send, isSending, onClose } = props;
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<string>();
  const word = wordToType(mode, seen);
  const [typed, type] = useState('');
  const [wordProblem, setWordProblem] = useState<string>();
  useEffect(() => {
    const first = (selector: string) => form.current?.querySelector<HTMLElement>(selector);
    (first('input:checked') ?? first('input, textarea'))?.focus();
  }, []);
  const field = (name: string) => form.current?.querySelector<HTMLElement>(`[name=${name}]`);
  const submit = submitting(() => {
    const read = decisionOf(mode, draft, seen);
    const isWrong = word !== undefined && typed.trim() !== word;
    setProblem(typeof read === 'string' ? read : undefined);
    setWordProblem(isWrong ? `Type ${word} here, then press Ctrl Enter.` : undefined);
    if (typeof read === 'string') field('words')?.focus();
    else if (isWrong) field('confirmation')?.focus();
    else send(read);
  });
  const choose = (code: ReasonCode): void => {
    change({ code });
    field('words')?.focus();
  };
  useFormKeys({
    keys: mode === 'reject' ? codeKeys(choose) : [],
    onClose,
    onSend: () => form.current?.requestSubmit(),
    words: () => field('words'),
  });
  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate {...TAKES_KEYS}>
      {mode === 'reject' && <Codes draft={draft} change={change} />}
      {mode === 'revise' && (
        <TextArea
          label="The value in other words"
          hint={valueHint(seen)}
          rows={6}
          value={draft.value ?? textOf(seen.value)}
          onChange={(value) => change({ value })}
        />
      )}
      <TextArea
        label={mode === 'ask' ? 'Your question' : 'In your words'}
        hint={hintOf(mode, seen)}
        problem={problem}
        name="words"
        rows={3}
        maxLength={MAX_CHARACTERS}
        value={(mode === 'ask' ? draft.question : draft.reason) ?? ''}
        onChange={(value) => change(mode === 'ask' ? { question: value } : { reason: value })}
      />
      {word !== undefined && (
        <TextField
          label={`Type “${word}” to confirm`}
          hint="This vote is sent at once and cannot be undone."
          problem={wordProblem}
          name="confirmation"
          autoComplete="off"
          value={typed}
          onChange={type}
        />
      )}
      <div className={styles.actions}>
        <Button kind={mode === 'reject' ? 'danger' : 'primary'} type="submit" disabled={isSending}>
          {SEND_WORDS[mode]} <KeyHint of={FORM_KEYS.send} />
        </Button>
        <Button onClick={onClose}>
          Close <KeyHint of={FORM_KEYS.close} />
        </Button>
      </div>
      <Templates kind={seen.kind} mode={mode} draft={draft} change={change} />
    </form>
  );
}

/** The keys of the reasons: 1 to 9, and 0 for a tenth one. */
const keyOf = (index: number): string => String((index + 1) % 10);

const codeKeys = (choose: (code: ReasonCode) => void) =>
  REJECTIONS.map(({ code, label }, index) => ({
    ...{ key: keyOf(index), words: label },
    does: (): void => choose(code),
  }));

type TemplatesProps = Pick<DecisionFormProps, 'mode' | 'draft' | 'change'> & {
  readonly kind: Kind;
};

/**
 * The reasons to pick from; none for a question or other words, nor before a rejection has its code. They stand last,
 * so that what appears among them comes between no two fields.
 */
function Templates({ kind, mode, draft, change }: TemplatesProps) {
  const of = mode === 'reject' ? draft.code : mode;
  if (of === undefined || of === 'revise' || of === 'ask') return null;
  const pick = (reason: string): void => change({ reason });
  return <ReasonTemplates key={of} {...{ kind, of }} words={draft.reason ?? ''} onPick={pick} />;
}

const APPROVAL_WORDS: Readonly<Record<Kind, string>> = {
  sem_put: 'approve',
  sensitive_consent: 'consent',
  erasure: 'erase',
};

/** The word that confirms a vote which cannot be undone; undefined for other decisions. */
function wordToType(mode: DecisionMode, seen: ActionRequest): string | undefined {
  if (isUndoable(seen) || mode === 'revise' || mode === 'ask') return undefined;
  return mode === 'approve' ? APPROVAL_WORDS[seen.kind] : mode;
}

const HINTS: Readonly<Record<DecisionMode, string | undefined>> = {
  approve: 'The record keeps your reason.',
  reject: 'Without words of your own, the reason above stands in full.',
  revise: 'Earlier votes fall away, and another member has to approve your words.',
  abstain: 'An abstention does not count towards the votes needed.',
  ask: 'The proposer sees it and can answer. The request stays in the queue.',
};

const hintOf = (mode: DecisionMode, { kind }: ActionRequest): string | undefined =>
  mode === 'approve' && kind === 'erasure'
    ? 'The admin who executes the erasure sees your reason first. The record keeps it.'
    : HINTS[mode];

const valueHint = ({ value }: ActionRequest): string =>
  typeof value === 'string' ? 'A text, taken as it is.' : 'JSON.';

interface CodesProps {
  readonly draft: Draft;
  readonly change: (part: Draft) => void;
}

const Codes = ({ draft, change }: CodesProps) => (
  <fieldset className={styles.codes}>
    <legend>Reason</legend>
    {REJECTIONS.map(({ code, label }, index) => (
      <label key={code}>
        <input
          type="radio"
          name="reason-code"
          checked={draft.code === code}
          onChange={() => change({ code })}
        />
        {label} <kbd>{keyOf(index)}</kbd>
      </label>
    ))}
  </fieldset>
);

/** Reads the form. Returns what is missing, in words, if it cannot be sent. */
function decisionOf(mode: DecisionMode, draft: Draft, seen: ActionRequest): Decision | string {
  const reason = draft.reason?.trim() ?? '';
  switch (mode) {
    case 'approve':
    case 'abstain':
      return reason === '' ? 'Say why.' : { type: 'vote', vote: mode, reason };
    case 'reject': {
      const chosen = REJECTIONS.find(({ code }) => code === draft.code);
      if (chosen === undefined) return 'Choose a reason.';
      const words = reason === '' ? chosen.words[seen.kind] : reason;
      return words === ''
        ? 'Say why.'
        : { type: 'vote', vote: 'reject', reason: words, code: chosen.code };
    }
    case 'revise': {
      if (reason === '') return 'Say why.';
      const typed = draft.value ?? textOf(seen.value);
      if (typeof seen.value === 'string') return { type: 'revise', value: typed, reason };
      try {
        return { type: 'revise', value: JSON.parse(typed) as Json, reason };
      } catch {
        return 'The value is not JSON.';
      }
    }
    case 'ask': {
      const question = draft.question?.trim() ?? '';
      return question === '' ? 'Type a question.' : { type: 'ask', question };
    }
  }
}
