import type { ActionRequest } from '#client/index.js';
import { Button } from '../ui/button';
import { Instant } from '../ui/instant';
import { Message } from '../ui/message';
import { VisibleText } from '../ui/visible-text';
import { ValueDiff } from './value-diff';

interface ChangeNoticeProps {
  readonly before: ActionRequest;
  readonly after: ActionRequest;
  readonly onAccept: () => void;
}

/** Says that the words on which the reviewer was about to decide have changed, how, by whom and why (SPEC G8). */
export function ChangeNotice({ before, after, onAccept }: ChangeNoticeProps) {
  const { revised } = after;
  return (
    <Message title="This proposal changed while you were looking at it" kind="warning">
      {revised !== null && (
        <p>
          <VisibleText text={revised.editor.sub} /> proposed other words at{' '}
          <Instant at={revised.at} />: <VisibleText text={revised.reason} />
        </p>
      )}
      <ValueDiff before={before.value} after={after.value} label="What changed in the value" />
      <p>Votes on the earlier words no longer count. What you have typed is kept.</p>
      <Button kind="primary" onClick={onAccept}>
        Go on with the new words
      </Button>
    </Message>
  );
}
