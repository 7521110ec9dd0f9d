import { useNavigate } from '@tanstack/react-router';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { ActionRequestListing } from '#client/index.js';
import { useLive } from '../live/live';
import { useTimePassing } from '../ui/use-time-passing';
import type { QueueSearch } from './queue-search';
import { QueueRow } from './queue-row';
import styles from './queue.module.css';
import { RECHECKS } from './recheck-marks';
import { checkedStreams } from './requests-data';
import { useKeys } from './use-keys';
import type { Selection } from './use-selection';

/** The height in px of a row before it is measured. */
const ROW_HEIGHT = 76;
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
  readonly onHelp: () => void;
}

/** The rows of the queue. Only the visible ones are in the page; the one with the focus always is. */
export function QueueList(props: QueueListProps) {
  const { rows, search, mayDecide, selection, total, onNearEnd, onHelp } = props;
  const scroller = useRef<HTMLDivElement>(null);
  useTimePassing();
  const { active, move, register, take } = useRowFocus(rows, search.at);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]!.request_id,
    overscan: 6,
    rangeExtractor: (range) =>
      active < 0
        ? defaultRangeExtractor(range)
        : [...new Set([...defaultRangeExtractor(range), active])].sort((a, b) => a - b),
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - NEAR_END) onNearEnd();
  }, [last, rows.length, onNearEnd]);
  useLive(checkedStreams(items.map(({ index }) => rows[index]!)), RECHECKS);
  const navigate = useNavigate();
  const go = (step: number): void => {
    const to = Math.max(0, Math.min(rows.length - 1, active + step));
    virtual.scrollToIndex(to);
    move(to);
  };
  const current = rows[active];
  useKeys({
    j: () => go(1),
    k: () => go(-1),
    '?': onHelp,
    '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
    Enter:
      current &&
      (() => void navigate({ to: '/requests/$id', params: { id: current.request_id }, search })),
    ' ': mayDecide && current ? () => selection.toggle(current.request_id) : undefined,
  });
  useEffect(() => {
    if (active > 0) virtual.scrollToIndex(active);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only the first look at the list scrolls to the place
  }, []);
  return (
    <div ref={scroller} className={styles.scroller}>
      <ul className={styles.list} style={{ blockSize: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => (
          <QueueRow
            key={key}
            {...{ index, search, start, mayDecide, total }}
            row={rows[index]!}
            isActive={index === active || (active < 0 && index === 0)}
            isSelected={selection.has(rows[index]!.request_id)}
            onToggle={() => selection.toggle(rows[index]!.request_id)}
            onFocus={() => take(index)}
            measure={virtual.measureElement}
            linkRef={register(rows[index]!.request_id)}
          />
        ))}
      </ul>
    </div>
  );
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
