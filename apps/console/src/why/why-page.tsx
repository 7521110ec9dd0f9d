import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { WhyThing } from '#client/index.js';
import { useRead } from '../data/queries';
import { useMoment } from '../moment/use-moment';
import type { SearchProps } from '../data/search-params';
import { Answered } from '../ui/answered';
import { Button } from '../ui/button';
import { SelectField, TextField } from '../ui/field';
import { submitting } from '../ui/form';
import { Message } from '../ui/message';
import { PageHeader } from '../ui/page-header';
import { Bar, Sections } from '../ui/section';
import { VisibleText } from '../ui/visible-text';
import { Accesses } from './accesses';
import { Content } from './content';
import { Origin } from './origin';
import { RecordedReads } from './recorded-reads';
import { KIND_WORDS, WHY_KINDS, type WhyKind, type WhySearch, whySearchOf } from './why-search';

const route = getRouteApi('/shell/why');

/** Where something in memory came from, which jobs recorded a read of it, and who read it unredacted. */
export function WhyPage() {
  const search = route.useSearch({ select: whySearchOf });
  const { kind, id } = search;
  const navigate = useNavigate({ from: '/why' });
  return (
    <>
      <PageHeader
        title="Why"
        about={
          kind === undefined || id === undefined ? (
            'Where something in memory came from, and who read it.'
          ) : (
            <>
              The {KIND_WORDS[kind]} <VisibleText text={id} />
            </>
          )
        }
      />
      <Sections>
        <WhyForm
          key={`${kind} ${id}`}
          search={search}
          show={(next) => void navigate({ search: next })}
        />
        {kind === undefined || id === undefined ? (
          <Message title="Nothing is asked yet">
            <p>
              Choose a kind and write its id, or follow a “Why?” from a fact, a space or a search.
            </p>
          </Message>
        ) : (
          <Answer thing={{ kind, id }} />
        )}
      </Sections>
    </>
  );
}

function WhyForm({ search, show }: SearchProps<WhySearch>) {
  const [kind, setKind] = useState<WhyKind>(search.kind ?? 'fact');
  const [id, setId] = useState(search.id ?? '');
  const submit = submitting(() => {
    if (id.trim() !== '') show({ kind, id: id.trim() });
  });
  return (
    <form role="search" aria-label="Why" onSubmit={submit}>
      <Bar>
        <SelectField
          label="Kind"
          value={kind}
          options={WHY_KINDS.map((name) => [name, KIND_WORDS[name]] as const)}
          onChange={setKind}
        />
        <TextField
          label={kind === 'fact' ? 'Key' : kind === 'note' ? 'Stream' : 'Id'}
          value={id}
          size={48}
          maxLength={512}
          onChange={setId}
        />
        <Button type="submit">Ask</Button>
      </Bar>
    </form>
  );
}

function Answer({ thing }: { readonly thing: Required<WhySearch> & WhyThing }) {
  const { kind, id } = thing;
  const moment = useMoment();
  const why = useRead(['why', kind, id, moment], (mace, call) =>
    mace.why.of({ kind, id, ...moment }, call),
  );
  return (
    <Answered query={why} what="the answer">
      {(answer) => (
        <>
          <Content thing={{ kind, id }} stream={answer.stream} />
          <Origin why={answer} />
          <RecordedReads kind={kind} id={id} />
          <Accesses kind={kind} id={id} stream={answer.stream} />
        </>
      )}
    </Answered>
  );
}
