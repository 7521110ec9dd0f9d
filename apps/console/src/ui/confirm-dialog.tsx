import type { ReactNode } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
import { ErrorNotice } from './error-notice';
import { Row } from './stack';

interface ConfirmDialogProps {
  readonly title: string;
  readonly about: ReactNode;
  /** What is done once the person agrees. */
  readonly change: {
    readonly isPending: boolean;
    readonly error: unknown;
    readonly mutate: () => void;
  };
  readonly kind: 'primary' | 'danger';
  /** The words of both buttons. */
  readonly agree: string;
  readonly keep: string;
  readonly onClose: () => void;
}

export const ConfirmDialog = (props: ConfirmDialogProps) => (
  <Dialog title={props.title} about={props.about} onClose={props.onClose}>
    {props.change.error !== null && <ErrorNotice error={props.change.error} />}
    <Row>
      <Button
        kind={props.kind}
        disabled={props.change.isPending}
        onClick={() => props.change.mutate()}
      >
        {props.agree}
      </Button>
      <Button onClick={props.onClose}>{props.keep}</Button>
    </Row>
  </Dialog>
);
