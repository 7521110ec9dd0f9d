import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { Json } from '#client/index.js';
import { useRead } from '../data/queries';
import { given } from '../data/search-params';
import { useMoment } from '../moment/use-moment';
import { NotFound } from '../shell/not-found';
import { Answered } from '../ui/answered';
import { JsonView } from '../ui/json-view';
import { LongText } from '../ui/long-text';
import { Message } from '../ui/message';
import { SaveBundle } from '../ui/save-bundle';
import { Facts, Section } from '../ui/section';
import { lineOf } from '../ui/value-text';
import { RECORD_KINDS, type RecordKind } from './record-kinds';
import { RecordsFrame } from './records-frame';

/** One record: its fields, the JSON behind them, and the bundle of its stream. */
export function RecordPage() {
  const { kind: path = 'logs', id = '' } = useParams({ strict: false });
  const kind = RECORD_KINDS.find((each) => each.path === path);
  return kind === undefined ? <NotFound /> : <Record kind={kind} id={id} />;
}

function Record({ kind, id }: { readonly kind: RecordKind; readonly id: string }) {
  const { owner } = useSearch({ strict: false });
  const moment = useMoment();
  const asked = { ...given({ owner }), ...moment };
  const record = useRead(['record', kind.path, id, asked], async (mace, call) => ({
    value: ((await kind.get(mace, id, asked, call)) ?? null) as Json,
  }));
  const title = kind.titleOf?.(id) ?? id;
  return (
    <RecordsFrame
      kind={kind}
      title={`${kind.name}: ${title}`}
      actions={
        <>
          <SaveBundle
            name={`${kind.path}-${title}`}
            lines={(mace) => kind.bundle(mace, id, asked)}
          />
          <Link to="/bundle">Check a bundle</Link>
        </>
      }
    >
      <Answered query={record} what="the record">
        {({ value }) =>
          value === null ? (
            <Message
              title={moment.at === undefined ? 'It is not there' : 'It was not there then'}
            />
          ) : (
            <>
              <Section title={moment.at === undefined ? 'Now' : 'Then'}>
                <Facts of={fieldsOf(value)} />
              </Section>
              <details>
                <summary>JSON</summary>
                <JsonView value={value} label="JSON of the record" />
              </details>
            </>
          )
        }
      </Answered>
    </RecordsFrame>
  );
}

const fieldsOf = (value: Json) =>
  Object.fromEntries(
    Object.entries(value as { readonly [name: string]: Json }).map(([name, field]) => [
      name.replaceAll('_', ' '),
      <LongText key={name} text={typeof field === 'string' ? field : lineOf(field)} />,
    ]),
  );
