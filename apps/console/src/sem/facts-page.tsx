import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { usePages } from '../data/queries';
import { ExportMoment } from '../moment/export-moment';
import { useMoment } from '../moment/use-moment';
import { hasRole } from '../session/session';
import { useSession } from '../session/session-provider';
import { Answered } from '../ui/answered';
import { Button } from '../ui/button';
import { TextField } from '../ui/field';
import { submitting } from '../ui/form';
import { Message } from '../ui/message';
import { PageHeader } from '../ui/page-header';
import { SampleHint } from '../ui/sample-hint';
import { Bar, Sections } from '../ui/section';
import { FactList } from './fact-list';

const route = getRouteApi('/shell/facts');
const SCOPES = ['user/', 'world/', 'agent/', 'mace/', 'config/', 'system/'];

/** The facts that the reader may see, under a prefix of their keys. */
export function FactsPage() {
  const { prefix = '' } = route.useSearch();
  const navigate = useNavigate({ from: '/facts' });
  const isPast = useMoment().at !== undefined;
  const show = (next: string) => void navigate({ search: next === '' ? {} : { prefix: next } });
  return (
    <>
      <PageHeader
        title="Facts"
        about={`What memory ${isPast ? 'held as true then' : 'holds as true now'}. Open a fact to see who wrote it, and what it was before.`}
      >
        <ExportMoment of={{ prefix }} words="Export these facts" />
      </PageHeader>
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
  const submit = submitting(() => show(text.trim()));
  return (
    <form role="search" aria-label="Facts" onSubmit={submit}>
      <Bar>
        <TextField
          label="Key begins with"
          value={text}
          size={36}
          maxLength={256}
          placeholder="scope/type/id/attribute"
          onChange={setText}
        />
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
  const moment = useMoment();
  const facts = usePages(['facts', prefix, moment], (mace, page, call) =>
    mace.sem.search(prefix, page.cursor, { ...moment, ...call }),
  );
  return (
    <Answered query={facts} what="the facts">
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.facts);
        if (rows.length === 0) return <NoFacts prefix={prefix} clear={clear} />;
        return <FactList facts={rows} pages={facts} />;
      }}
    </Answered>
  );
}

function NoFacts({ prefix, clear }: FactsUnderProps) {
  const isPast = useMoment().at !== undefined;
  const seesAll = hasRole(useSession(), 'admin', 'council', 'auditor');
  if (prefix !== '')
    return (
      <Message title="No fact that you may read has a key that begins so">
        <p>A deleted fact is not listed; open it by its whole key to see its history.</p>
        <Button onClick={clear}>Show all facts</Button>
      </Message>
    );
  if (isPast) return <Message title="There were no facts that you may read" />;
  return (
    <Message title="There are no facts yet">
      <p>
        A fact appears here when somebody writes one (<code>PUT /v1/sem/…</code>), or when the
        council approves a request.
        {!seesAll && ' Facts about other people are not shown to you.'}
      </p>
      <SampleHint />
    </Message>
  );
}
