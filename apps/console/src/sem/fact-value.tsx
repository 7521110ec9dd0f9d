import { useState } from 'react';
import type { FactAt } from '#client/index.js';
import { useRead } from '../data/queries';
import type { SearchProps } from '../data/search-params';
import { type Moment, useMoment } from '../moment/use-moment';
import { UnredactedRead } from '../privacy/unredacted-read';
import { useMace } from '../session/session-provider';
import { Approval } from '../ui/approval';
import { Answered } from '../ui/answered';
import { Button } from '../ui/button';
import { TextField } from '../ui/field';
import { submitting } from '../ui/form';
import { Instant } from '../ui/instant';
import { JsonView } from '../ui/json-view';
import { Message } from '../ui/message';
import { Bar, Facts, Section } from '../ui/section';
import { VisibleText } from '../ui/visible-text';
import type { FactSearch } from './facts-search';

interface FactValueProps extends SearchProps<FactSearch> {
  readonly of: string;
}

/** The value now or at the moment that the page shows, at a version or at a snapshot, and the way from one to the other. */
export function FactValue({ of, search, show }: FactValueProps) {
  const { version, snapshot } = search;
  const moment = useMoment();
  const when = moment.at === undefined ? 'now' : 'then';
  return (
    <Section title={titleOf(search, when)}>
      {(version !== undefined || snapshot !== undefined) && (
        <Message title="You are looking at an earlier state." kind="warning">
          <Button onClick={() => show({})}>{`Show the value ${when}`}</Button>
        </Message>
      )}
      <ValueAt of={of} at={atOf(search, moment)} />
      <StateForm key={`${version} ${snapshot}`} search={search} show={show} />
    </Section>
  );
}

function titleOf({ version, snapshot }: FactSearch, when: string): string {
  if (snapshot !== undefined) return 'Value at a snapshot';
  return version === undefined ? `Value ${when}` : `Value at version ${version}`;
}

/** A version or a snapshot is a moment of its own. */
function atOf({ version, snapshot }: FactSearch, moment: Moment): FactAt {
  if (snapshot !== undefined) return { snapshot_id: snapshot };
  return version === undefined ? moment : { version };
}

function ValueAt({ of, at }: { readonly of: string; readonly at: FactAt }) {
  const mace = useMace();
  const fact = useRead(['fact', of, at], (mace, call) => mace.sem.get(of, at, call));
  const isNow = Object.keys(at).length === 0;
  const isPast = useMoment().at !== undefined;
  return (
    <Answered query={fact} what="the value">
      {(found) =>
        found.exists ? (
          <>
            <JsonView value={found.value} label="Value" />
            {!isPast && (
              <UnredactedRead
                key={JSON.stringify([of, at, found.version])}
                what={`the fact ${of}`}
                redacted={found.value}
                stream={`sem-${of}`}
                read={async (options) =>
                  (await mace.sem.get(of, { ...at, unredacted: 'true' }, options)).value
                }
              />
            )}
            <Facts
              of={{
                Source: <VisibleText text={found.source} />,
                'Time of the write': <Instant at={found.last_updated} />,
                'Approved by': found.approved_by ? <Approval by={found.approved_by} /> : null,
                [isNow ? 'Latest version' : 'Version']: found.version,
                Notes: found.notes === null ? null : <VisibleText text={found.notes} />,
              }}
            />
          </>
        ) : (
          <Message title={isNow ? 'There is no value now' : 'There was no value then'}>
            <p>
              The fact was deleted, or only its key was claimed. The history below has every event.
            </p>
          </Message>
        )
      }
    </Answered>
  );
}

function StateForm({ search, show }: SearchProps<FactSearch>) {
  const [text, setText] = useState(search.snapshot ?? search.version?.toString() ?? '');
  const asked = text.trim();
  const isSnapshot = /^sem:[0-9a-f]{64}$/.test(asked);
  const isVersion = /^\d{1,9}$/.test(asked);
  const [problem, setProblem] = useState<string>();
  const submit = submitting(() => {
    setProblem(undefined);
    if (isSnapshot) show({ snapshot: asked });
    else if (isVersion) show({ version: Number(asked) });
    else if (asked === '') show({});
    else
      setProblem(
        'Write a version, such as 3, or a snapshot, such as sem:9f86…, with all 64 digits.',
      );
  });
  return (
    <form aria-label="Read at an earlier state" onSubmit={submit}>
      <Bar>
        <TextField
          label="Read at a version or a snapshot"
          problem={problem}
          value={text}
          size={36}
          placeholder="3, or sem:…"
          onChange={setText}
        />
        <Button type="submit">Read</Button>
      </Bar>
    </form>
  );
}
