import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button';
import { TextField } from '../ui/field';
import { submitting } from '../ui/form';
import { PageHeader } from '../ui/page-header';
import { Bar, Sections } from '../ui/section';
import navigation from '../ui/section-nav.module.css';
import { RECORD_KINDS, type RecordKind } from './record-kinds';

/** The heading of a page about records, and the navigation between their kinds. */
export const RecordsFrame = (props: {
  readonly kind: RecordKind | undefined;
  readonly title: string;
  readonly about?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) => (
  <>
    <PageHeader title={props.title} about={props.about}>
      {props.actions}
    </PageHeader>
    <nav aria-label="Memory" className={navigation.nav}>
      {RECORD_KINDS.map(({ path, name }) => (
        <Link
          key={path}
          {...(path === 'memories'
            ? { to: '/memory' as const }
            : { to: '/memory/$kind' as const, params: { kind: path } })}
          className={`${navigation.link} ${path === props.kind?.path ? navigation.active : ''}`}
        >
          {name}
        </Link>
      ))}
    </nav>
    <Sections>{props.children}</Sections>
  </>
);

interface OwnerFormProps {
  readonly kind: RecordKind;
  readonly owner: string;
  readonly show: (owner: string, id: string) => void;
}

/** Names whose records are shown; for records that have no list, also which one. */
export function OwnerForm({ kind, owner: shown, show }: OwnerFormProps) {
  const [owner, setOwner] = useState(shown);
  const [id, setId] = useState('');
  const submit = submitting(() => show(owner.trim(), id.trim()));
  if (kind.owner === undefined) return null;
  const [label, form] = kind.owner;
  return (
    <form role="search" aria-label={kind.name} onSubmit={submit}>
      <Bar>
        <TextField
          label={label}
          value={owner}
          size={28}
          maxLength={256}
          placeholder={form}
          onChange={setOwner}
        />
        {kind.list === undefined && (
          <TextField label="Id" value={id} size={28} maxLength={256} required onChange={setId} />
        )}
        <Button type="submit">Show</Button>
      </Bar>
    </form>
  );
}
