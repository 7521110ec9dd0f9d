import { Facts } from '../ui/stack';
import { Message } from '../ui/message';
import { VisibleText } from '../ui/visible-text';
import type { ReadModel } from './read-model-state';

/** Names each read model that has stopped, with the event at which it stopped and the reason. */
export const StoppedReadModels = ({
  projections,
}: {
  readonly projections: readonly ReadModel[];
}) =>
  projections.flatMap(({ name, stopped }) =>
    stopped === null
      ? []
      : [
          <Message key={name} title={`The read model ${name} has stopped`} kind="bad">
            <p>
              Its rows do not show later events. Queries answer from what it has, or wait. Mend the
              cause, then rebuild it.
            </p>
            <Facts
              facts={[
                ['Reason', <VisibleText key="reason" text={stopped.reason} />],
                ['Stream', <VisibleText key="stream" text={stopped.stream} />],
                ['Event', stopped.number],
                ['Position', stopped.position],
              ]}
            />
          </Message>,
        ],
  );
