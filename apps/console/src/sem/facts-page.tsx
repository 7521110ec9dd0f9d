import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { hasRole } from '../session/session';
import { useMace, useSession } from '../session/session-provider';
import { Button } from '../ui/button';
import { ErrorNotice } from '../ui/error-notice';
import { Field } from '../ui/field';
import { Loading } from '../ui/loading';
import { Message } from '../ui/message';
import { PageHeader } from '../ui/page-header';
import { Bar, Sections } from '../ui/section';
import { FactList } from './fact-list';

const route = getRouteApi('/shell/facts');
const SCOPES = ['user/', 'world/', 'agent/', 'mace/', 'config/', 'system/'];

/** The facts that the reader may see, under a prefix of their keys. */
export function FactsPage() {
  const { prefix = '' } = route.useSearch();
  const navigate = useNavigate({ from: '/facts' });
  const show = (next: string) => void navigate({ search: next === '' ? {} : { prefix: next } });
  return (
    <>
      <PageHeader
        title="Facts"
        about="What memory holds as true now. Open a fact to see who wrote it, and what it was before."
      />
      <Sections>
        <PrefixForm key={prefix} prefix={prefix} show={show} />
        <FactsUnder prefix={prefix} clear={() => show('')} />
      </Sections>
    </>
  );
}

interface PrefixFormProps {
  readonly prefix: string;
  readonly show: (prefix: string) => void;
}

function PrefixForm({ prefix, show }: PrefixFormProps) {
  const [text, setText] = useState(prefix);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    show(text.trim());
  };
  return (
    <form role="search" aria-label="Facts" onSubmit={submit}>
      <Bar>
        <Field label="Key begins with">
          {(field) => (
            <input
              {...field}
              value={text}
              size={36}
              maxLength={256}
              placeholder="scope/type/id/attribute"
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit">Show</Button>
        {prefix === '' &&
          SCOPES.map((scope) => (
            <Button key={scope} kind="quiet" onClick={() => show(scope)}>
              {scope}
            </Button>
          ))}
      </Bar>
    </form>
  );
}

interface FactsUnderProps {
  readonly prefix: string;
  readonly clear: () => void;
}

function FactsUnder({ prefix, clear }: FactsUnderProps) {
  const mace = useMace();
  const facts = useInfiniteQuery({
    queryKey: ['facts', prefix],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => mace.sem.search(prefix, pageParam, { signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  if (facts.isPending) return <Loading what="the facts" />;
  if (facts.isLoadingError)
    return <ErrorNotice error={facts.error} retry={() => void facts.refetch()} />;
  const rows = facts.data.pages.flatMap((page) => page.facts);
  if (rows.length === 0) return <NoFacts prefix={prefix} clear={clear} />;
  return <FactList facts={rows} pages={facts} />;
}

function NoFacts({ prefix, clear }: FactsUnderProps) {
  const seesAll = hasRole(useSession(), 'admin', 'council', 'auditor');
  if (prefix !== '')
    return (
      <Message title="No fact that you may read has a key that begins so">
        <p>A deleted fact is not listed; open it by its whole key to see its history.</p>
        <Button onClick={clear}>Show all facts</Button>
      </Message>
    );
  return (
    <Message title="There are no facts yet">
      <p>
        A fact appears here when somebody writes one (<code>PUT /v1/sem/…</code>), or when the
        council approves a request.
        {!seesAll && ' Facts about other people are not shown to you.'}
      </p>
    </Message>
  );
}
