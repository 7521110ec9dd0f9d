import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useMedia } from '../../ui/use-media';
import styles from './replay.module.css';

const TABS = [
  ['state', 'State at this moment'],
  ['event', 'Event in detail'],
] as const;
type Pane = (typeof TABS)[number][0];

interface PanesProps {
  readonly event: ReactNode;
  readonly state: ReactNode;
  /** True while they show the step before. */
  readonly isBusy: boolean;
}

/** From this width on, the event and the state stand side by side. */
const WIDE = '(min-width: 1440px)';

/** The event and the state: beside each other in a wide window, else as tabs. */
export function Panes({ event, state, isBusy }: PanesProps) {
  const isWide = useMedia(WIDE);
  const [shown, show] = useState<Pane>('state');
  if (isWide)
    return (
      <>
        <div className={styles.step} aria-busy={isBusy}>
          {event}
        </div>
        <div className={styles.step} aria-busy={isBusy}>
          {state}
        </div>
      </>
    );
  return (
    <div className={styles.step}>
      <Tabs shown={shown} show={show} />
      <div
        className={styles.step}
        id={`pane-${shown}`}
        role="tabpanel"
        aria-labelledby={`tab-${shown}`}
        aria-busy={isBusy}
      >
        {shown === 'event' ? event : state}
      </div>
    </div>
  );
}

function Tabs({ shown, show }: { readonly shown: Pane; readonly show: (pane: Pane) => void }) {
  const list = useRef<HTMLDivElement>(null);
  const press = ({ key }: KeyboardEvent): void => {
    if (!['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key)) return;
    const isFirst = key === 'Home' || (key !== 'End' && shown !== 'state');
    const next = isFirst ? 'state' : 'event';
    show(next);
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div
      ref={list}
      className={styles.tabs}
      role="tablist"
      aria-label="At the cursor"
      onKeyDown={press}
    >
      {TABS.map(([pane, name]) => (
        <button
          key={pane}
          type="button"
          role="tab"
          id={`tab-${pane}`}
          className={styles.tab}
          aria-selected={shown === pane}
          aria-controls={shown === pane ? `pane-${pane}` : undefined}
          tabIndex={shown === pane ? 0 : -1}
          onClick={() => show(pane)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
