import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { JobListing, ListedFact, ListedSession, PersonMemory } from '#client/index.js';
import { type PagedList, usePages } from '../data/queries';
import { ExportMoment } from '../moment/export-moment';
import { useMoment } from '../moment/use-moment';
import { StoreLink } from '../memory-contract/store-link';
import { ACCESS_COLUMNS } from '../privacy/access-columns';
import { CONSENT_COLUMNS } from '../privacy/consent-columns';
import { FactLink } from '../sem/fact-link';
import { hasRole, WATCHERS } from '../session/session';
import { useSession } from '../session/session-provider';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { type Column, PagedTable } from '../ui/data-table';
import { TextField } from '../ui/field';
import { submitting } from '../ui/form';
import { Instant } from '../ui/instant';
import { LongText } from '../ui/long-text';
import { Message } from '../ui/message';
import { PageHeader } from '../ui/page-header';
import { Bar, Section, Sections } from '../ui/section';
import { lineOf } from '../ui/value-text';
import { VisibleText } from '../ui/visible-text';
import { personSearchOf } from './person-search';

const route = getRouteApi('/shell/person');

/** All that is known about one person, and who read it. */
export function PersonPage() {
  const { user_id = '' } = route.useSearch({ select: personSearchOf });
  const navigate = route.useNavigate();
  const session = useSession();
  const isWatcher = hasRole(session, ...WATCHERS);
  const readsSessions = hasRole(session, 'agent', ...WATCHERS);
  return (
    <>
      <PageHeader
        title={user_id === '' ? 'Person' : `Person ${user_id}`}
        about="What memory has about one person, and who read it. Sealed values are shown redacted, unless they are your own."
      >
        {user_id !== '' && <ExportMoment of={{ user_id }} words="Export facts and memories" />}
      </PageHeader>
      <Sections>
        <PersonForm
          key={user_id}
          user_id={user_id}
          show={(next) => void navigate({ search: { user_id: next } })}
        />
        {user_id === '' ? (
          <Message title="Nobody is chosen yet">
            <p>Write the user id that the agent’s requests name.</p>
          </Message>
        ) : (
          <>
            <FactsAbout user_id={user_id} />
            <MemoriesOf user_id={user_id} />
            <JobsFor user_id={user_id} />
            {readsSessions && <SessionsOf user_id={user_id} />}
            {isWatcher && <ConsentsOf user_id={user_id} />}
            {isWatcher && <ReadsOf user_id={user_id} />}
          </>
        )}
      </Sections>
    </>
  );
}

interface PersonFormProps {
  readonly user_id: string;
  readonly show: (userId: string) => void;
}

function PersonForm({ user_id, show }: PersonFormProps) {
  const [text, setText] = useState(user_id);
  const submit = submitting(() => {
    if (text.trim() !== '') show(text.trim());
  });
  return (
    <form role="search" aria-label="Person" onSubmit={submit}>
      <Bar>
        <TextField label="User id" value={text} size={36} maxLength={256} onChange={setText} />
        <Button type="submit">Show</Button>
      </Bar>
    </form>
  );
}

interface AboutProps {
  readonly user_id: string;
}

interface ListProps<Page, Row> {
  readonly title: string;
  readonly list: Parameters<typeof PagedTable<Page, Row>>[0]['list'] & PagedList;
  readonly columns: readonly Column<Row>[];
  readonly rowsIn: (page: Page) => readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What is said if there is nothing. */
  readonly none: string;
  readonly children?: ReactNode;
}

/** One list about the person, under its heading. */
const ListAbout = <Page, Row>({ title, none, children, ...table }: ListProps<Page, Row>) => (
  <Section title={title}>
    <PagedTable
      {...table}
      what={title.toLowerCase()}
      label={`Table of ${title.toLowerCase()}`}
      empty={<Message title={none} />}
    />
    {children}
  </Section>
);

const FACT_COLUMNS: readonly Column<ListedFact>[] = [
  { name: 'Fact', cell: ({ key }) => <FactLink of={key} /> },
  { name: 'Value', cell: ({ value }) => <LongText text={lineOf(value)} /> },
  { name: 'Source', cell: ({ source }) => <VisibleText text={source} /> },
  { name: 'Time', cell: ({ last_updated }) => <Instant at={last_updated} /> },
];

function FactsAbout({ user_id }: AboutProps) {
  const moment = useMoment();
  const list = usePages(['person-facts', user_id, moment], (mace, { cursor }, call) =>
    mace.sem.search('user/', cursor, { user_id, ...moment, ...call }),
  );
  return (
    <ListAbout
      title="Facts"
      {...{ list, columns: FACT_COLUMNS }}
      rowsIn={({ facts }) => facts}
      keyOf={({ key }) => key}
      none="No fact is about this person"
    />
  );
}

const MEMORY_COLUMNS: readonly Column<PersonMemory>[] = [
  { name: 'Memory', cell: ({ text }) => <LongText text={text} /> },
  { name: 'Kept because', cell: ({ kept_because }) => BECAUSE[kept_because ?? 'given'] },
  { name: 'Time', cell: ({ updated_at }) => <Instant at={updated_at} /> },
];

const BECAUSE: Readonly<Record<NonNullable<PersonMemory['kept_because']> | 'given', string>> = {
  given: 'an agent gave it to be remembered',
  asked: 'the person asked to remember it',
  instruction: 'it is a standing instruction',
  about_you: 'the person said it of themselves',
  other_language: 'it is in a language whose sentences are all kept',
};

function MemoriesOf({ user_id }: AboutProps) {
  const moment = useMoment();
  const list = usePages(['person-memories', user_id, moment], (mace, page, call) =>
    mace.memories.list({ user_id, ...moment, ...page }, call),
  );
  return (
    <ListAbout
      title="Memories"
      {...{ list, columns: MEMORY_COLUMNS }}
      rowsIn={({ memories }) => memories}
      keyOf={({ id }) => id}
      none="Nothing is remembered about this person"
    />
  );
}

const JOB_COLUMNS: readonly Column<JobListing>[] = [
  {
    name: 'Job',
    cell: ({ job_seed, goal }) => (
      <>
        <Link to="/jobs/$seed" params={{ seed: job_seed }}>
          <VisibleText text={job_seed} />
        </Link>
        {goal !== null && (
          <div>
            <VisibleText text={goal} />
          </div>
        )}
      </>
    ),
  },
  {
    name: 'Status',
    cell: ({ status }) => <Badge kind={status === 'running' ? 'good' : 'plain'}>{status}</Badge>,
  },
  { name: 'By', cell: ({ owner_sub }) => <VisibleText text={owner_sub} /> },
  { name: 'Began', cell: ({ started_at }) => <Instant at={started_at} /> },
];

function JobsFor({ user_id }: AboutProps) {
  const moment = useMoment();
  const list = usePages(['person-jobs', user_id, moment], (mace, page, call) =>
    mace.jobs.list({ user_id, ...moment, ...page }, call),
  );
  return (
    <ListAbout
      title="Jobs for this person"
      {...{ list, columns: JOB_COLUMNS }}
      rowsIn={({ jobs }) => jobs}
      keyOf={({ job_seed }) => job_seed}
      none="No job ran for this person"
    />
  );
}

const SESSION_COLUMNS: readonly Column<ListedSession>[] = [
  { name: 'Session', cell: ({ owner }) => <StoreLink space="session" owner={owner} /> },
  { name: 'Assistant', cell: ({ assistant }) => <VisibleText text={assistant} /> },
  { name: 'Began', cell: ({ began_at }) => <Instant at={began_at} /> },
];

function SessionsOf({ user_id }: AboutProps) {
  const moment = useMoment();
  const list = usePages(['person-sessions', user_id, moment], (mace, page, call) =>
    mace.memory.sessions({ user_id, ...moment, ...page }, call),
  );
  return (
    <ListAbout
      title="Sessions"
      {...{ list, columns: SESSION_COLUMNS }}
      rowsIn={({ sessions }) => sessions}
      keyOf={({ position }) => position}
      none="No assistant acted for this person in a session"
    />
  );
}

function ConsentsOf({ user_id }: AboutProps) {
  const moment = useMoment();
  const list = usePages(['person-consents', user_id, moment], (mace, page, call) =>
    mace.oversight.consents({ user_id, ...moment, ...page }, call),
  );
  return (
    <ListAbout
      title="Consents"
      {...{ list, columns: CONSENT_COLUMNS }}
      rowsIn={({ consents }) => consents}
      keyOf={({ consent_id }) => consent_id}
      none="This person has given no consent"
    />
  );
}

function ReadsOf({ user_id }: AboutProps) {
  const moment = useMoment();
  const list = usePages(['person-reads', user_id, moment], (mace, page, call) =>
    mace.oversight.accesses({ user_id, ...moment, ...page }, call),
  );
  return (
    <ListAbout
      title="Who of the admins and the council read personal data of this person"
      {...{ list, columns: ACCESS_COLUMNS }}
      rowsIn={({ accesses }) => accesses}
      keyOf={({ event }) => event.position}
      none="No admin and nobody of the council has read these unredacted"
    >
      <p>
        Of the facts, the memories, the store, and the newest 1,000 jobs and requests of the person.
        Reads of notes, conversations and threads are in the list of{' '}
        <Link to="/privacy/accesses">all unredacted reads</Link>. Agents that act for the person see
        it as it is; what a job read stands on the job’s page.
      </p>
    </ListAbout>
  );
}
