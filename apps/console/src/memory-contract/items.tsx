import { useState } from 'react';
import type { Json, MemoryItem } from '#client/index.js';
import { useRead } from '../data/queries';
import { useMoment } from '../moment/use-moment';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { ErrorNotice } from '../ui/error-notice';
import { SelectField, TextField } from '../ui/field';
import { submitting } from '../ui/form';
import { JsonView } from '../ui/json-view';
import { Loading } from '../ui/loading';
import { LongText } from '../ui/long-text';
import { Message } from '../ui/message';
import { Bar, Section } from '../ui/section';
import { WhyLink } from '../why/why-link';
import { ITEM_KINDS, type ItemKind, type StorePartProps } from './spaces-search';
import styles from './spaces.module.css';
import cards from '../ui/cards.module.css';

/** The items that are drawn at first, and with each press of the button below them. */
const DRAWN = 100;

/** The items now or at a tick, by kind and phase. */
export function Items({ space, owner, search, show }: StorePartProps) {
  const moment = useMoment();
  const isPast = moment.at !== undefined;
  // A moment has one tick, so the address’s own one is for the present.
  const { tick: asked, kind, phase } = search;
  const tick = isPast ? undefined : asked;
  const store = useRead(['store', space, owner, tick, moment], (mace, call) =>
    mace.memory.store(space, owner, tick === undefined ? moment : { tick }, call),
  );
  if (store.isPending) return <Loading what="the items" />;
  if (store.isLoadingError)
    return <ErrorNotice error={store.error} retry={() => void store.refetch()} />;
  const { items, tick: at, current_phase } = store.data;
  const phases = [...new Set(items.map(phaseOf))];
  const shown = items.filter(
    (item) =>
      (kind === undefined || item.kind === kind) &&
      (phase === undefined || phaseOf(item) === phase),
  );
  return (
    <Section
      title={
        tick === undefined
          ? `Items ${isPast ? 'then' : 'now'}, at tick ${at}`
          : `Items at tick ${tick}`
      }
    >
      {tick !== undefined && (
        <Message title="You are looking at an earlier state." kind="warning">
          <Button onClick={() => show({ ...search, tick: undefined! })}>Show the items now</Button>
        </Message>
      )}
      <ItemFilters key={tick} phases={phases} search={search} show={show} last={at} />
      <p role="status">
        {`${shown.length.toLocaleString('en')} of ${items.length.toLocaleString('en')} items`}
        {current_phase !== null && `, in ${current_phase.phase_name ?? current_phase.phase_id}`}
      </p>
      {shown.length === 0 ? (
        <Message
          title={items.length === 0 ? 'Nothing is stored here' : 'No item meets these filters'}
        >
          {items.length > 0 && (
            <Button onClick={() => show(tick === undefined ? {} : { tick })}>Show all items</Button>
          )}
        </Message>
      ) : (
        <ItemList items={shown} />
      )}
    </Section>
  );
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const phaseOf = ({ meta }: MemoryItem): string => textOf(meta['phase_id']);

interface ItemFiltersProps extends Pick<StorePartProps, 'search' | 'show'> {
  readonly phases: readonly string[];
  /** The tick that is shown. */
  readonly last: number;
}

function ItemFilters({ phases, search, show, last }: ItemFiltersProps) {
  const isPast = useMoment().at !== undefined;
  const [tick, setTick] = useState(search.tick?.toString() ?? '');
  const submit = submitting(() => {
    const { tick: _, ...others } = search;
    show(/^\d{1,15}$/.test(tick.trim()) ? { ...others, tick: Number(tick) } : others);
  });
  const choose = (name: 'kind' | 'phase', value: string): void => {
    const { [name]: _, ...others } = search;
    show(value === '' ? others : { ...others, [name]: value as ItemKind });
  };
  return (
    <form role="search" aria-label="Items" onSubmit={submit}>
      <Bar>
        <SelectField
          label="Kind"
          value={search.kind ?? ''}
          options={[['', 'all'], ...ITEM_KINDS]}
          onChange={(value) => choose('kind', value)}
        />
        <SelectField
          label="Phase"
          value={search.phase ?? ''}
          options={[['', 'all'], ...phases]}
          onChange={(value) => choose('phase', value)}
        />
        {!isPast && (
          <>
            <TextField
              label="At tick"
              value={tick}
              size={8}
              inputMode="numeric"
              placeholder={last.toString()}
              onChange={setTick}
            />
            <Button type="submit">Read</Button>
          </>
        )}
      </Bar>
    </form>
  );
}

function ItemList({ items }: { readonly items: readonly MemoryItem[] }) {
  const [count, setCount] = useState(DRAWN);
  return (
    <>
      <ul className={cards.cards}>
        {items.slice(0, count).map((item) => (
          <li key={item.id} className={cards.card}>
            <div className={styles.heading}>
              <Badge>{item.kind}</Badge>
              <span>{textOf(item.meta['event_type'])}</span>
              <span>from {item.source}</span>
              <span>tick {item.created_at}</span>
              <span>importance {item.importance}</span>
              <span>{phaseOf(item)}</span>
              <WhyLink kind="memory_item" id={item.id} />
            </div>
            <LongText text={item.text} />
            <details>
              <summary>Properties</summary>
              <JsonView value={item.meta} label={`Properties of ${item.id}`} />
            </details>
          </li>
        ))}
      </ul>
      {items.length > count && (
        <Button onClick={() => setCount(count + DRAWN)}>Show more items</Button>
      )}
    </>
  );
}
