import { useNavigate } from '@tanstack/react-router';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ActionRequestListing } from '#client/index.js';
import { useLive } from '../live/live';
import { useTimePassing } from '../ui/use-time-passing';
import type { QueueSearch } from './queue-search';
import { areRivals, groupsOf, type QueueGroup } from './queue-rows';
import { LIST_KEYS } from './key-tables';
import { GroupRow, QueueRow } from './queue-row';
import styles from './queue.module.css';
import { RECHECKS } from './recheck-marks';
import { checkedStreams } from './requests-data';
import { useKeys } from '../keys/use-keys';
import type { Selection } from './use-selection';

/** The heights in px of a row and of the heading of a group before they are measured. */
const ROW_HEIGHT = 46;
const GROUP_HEIGHT = 32;
/** The next page is read when so few rows are left below the visible ones. */
const NEAR_END = 30;

interface QueueListProps {
  readonly rows: readonly ActionRequestListing[];
  readonly search: QueueSearch;
  readonly mayDecide: boolean;
  readonly selection: Selection;
  /** The number of requests in the list; undefined while pages are still to come. */
  readonly total: number | undefined;
  readonly onNearEnd: () => void;
}

/** The rows of the queue. Only the visible ones are in the page; the one with the focus always is. */
export function QueueList(props: QueueListProps) {
  const { rows, search, mayDecide, selection, total, onNearEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  useTimePassing();
  const { active, move, register, take } = useRowFocus(rows, search.at);
  const lines = useMemo(() => linesOf(rows, search.group), [rows, search.group]);
  const lineOf = (index: number): number => lines.findIndex((line) => line.index === index);
  const activeLine = lineOf(active);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (line) => (lines[line]?.group === undefined ? ROW_HEIGHT : GROUP_HEIGHT),
    getItemKey: (line) => keyOf(lines[line]!),
    overscan: 6,
    rangeExtractor: (range) =>
      activeLine < 0
        ? defaultRangeExtractor(range)
        : [...new Set([...defaultRangeExtractor(range), activeLine])].sort((a, b) => a - b),
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= lines.length - NEAR_END) onNearEnd();
  }, [last, lines.length, onNearEnd]);
  useLive(checkedStreams(items.flatMap(({ index }) => lines[index]!.row ?? [])), RECHECKS);
  const navigate = useNavigate();
  const goTo = (index: number): void => {
    const to = Math.max(0, Math.min(rows.length - 1, index));
    virtual.scrollToIndex(lineOf(to));
    move(to);
  };
  // Before any row has the focus, the keys work on the first.
  const current = rows[Math.max(active, 0)];
  const select = (): void => {
    if (active < 0) move(0);
    if (current) selection.toggle(current.request_id);
  };
  useKeys(LIST_KEYS, {
    next: () => goTo(active + 1),
    previous: () => goTo(active - 1),
    first: () => goTo(0),
    last: () => goTo(rows.length - 1),
    search: () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
    open:
      current &&
      (() => void navigate({ to: '/requests/$id', params: { id: current.request_id }, search })),
    select: mayDecide && current ? select : undefined,
  });
  useEffect(() => {
    if (activeLine > 0) virtual.scrollToIndex(activeLine);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only the first look at the list scrolls to the place
  }, []);
  return (
    <div ref={scroller} className={styles.scroller}>
      <ul className={styles.list} style={{ blockSize: virtual.getTotalSize() }}>
        {items.map(({ index: place, key, start }) => {
          const { group, row, index } = lines[place]!;
          const drawn = { place, start, measure: virtual.measureElement };
          if (row === undefined) return <GroupRow key={key} {...drawn} group={group} />;
          return (
            <QueueRow
              key={key}
              {...drawn}
              {...{ index, row, search, mayDecide, total }}
              isRival={areRivals(row, rows[index - 1])}
              isActive={index === Math.max(active, 0)}
              isSelected={selection.has(row.request_id)}
              onToggle={() => selection.toggle(row.request_id)}
              onFocus={() => take(index)}
              linkRef={register(row.request_id)}
            />
          );
        })}
      </ul>
    </div>
  );
}

/** A line of the list: the heading of a group, or a request with its index among the requests. */
type Line =
  | { readonly group: QueueGroup; readonly row?: undefined; readonly index: -1 }
  | { readonly group?: undefined; readonly row: ActionRequestListing; readonly index: number };

const keyOf = ({ group, row }: Line): string =>
  row === undefined ? `group ${group.name}` : row.request_id;

/** Returns the requests, in a grouped queue with a heading above each group. */
function linesOf(rows: readonly ActionRequestListing[], by: QueueSearch['group']): readonly Line[] {
  if (by === undefined) return rows.map((row, index) => ({ row, index }));
  let index = 0;
  return groupsOf(rows, by).flatMap((group) => [
    { group, index: -1 } as const,
    ...group.rows.map((row) => ({ row, index: index++ })),
  ]);
}

/** Which row has the focus. It is kept by the request's id, so that rows above can come and go. */
function useRowFocus(rows: readonly ActionRequestListing[], at: string | undefined) {
  const [activeId, setActiveId] = useState(at);
  const [place, setPlace] = useState(0);
  const wanted = useRef(at);
  const hasMoved = useRef(false);
  const links = useRef(new Map<string, HTMLElement>());
  const found = rows.findIndex(({ request_id }) => request_id === activeId);
  // The row after a decided one takes its place.
  const active = found >= 0 || activeId === undefined ? found : Math.min(place, rows.length - 1);
  useEffect(() => {
    const link = wanted.current === undefined ? undefined : links.current.get(wanted.current);
    if (link === undefined) return;
    wanted.current = undefined;
    if (hasMoved.current) return link.focus({ preventScroll: true });
    // The frame gives the focus to the page when it opens, and so comes first.
    requestAnimationFrame(() => link.focus({ preventScroll: true }));
  });
  const take = (index: number): void => {
    setActiveId(rows[index]?.request_id);
    setPlace(index);
  };
  return {
    ...{ active, take },
    move: (index: number): void => {
      wanted.current = rows[index]?.request_id;
      hasMoved.current = true;
      take(index);
    },
    register:
      (id: string) =>
      (link: HTMLElement | null): void => {
        if (link === null) links.current.delete(id);
        else links.current.set(id, link);
      },
  };
}
