import { type ReactNode, useEffect } from 'react';
import styles from './page-header.module.css';
import { VisibleText } from './visible-text';

interface PageHeaderProps {
  readonly title: string;
  /** One sentence: what the page is for, or the state of what it shows. */
  readonly about?: ReactNode;
  /** True if the sentence stands beside the heading, on a page that needs the room. */
  readonly isDense?: boolean;
  readonly children?: ReactNode;
}

/** The heading of a page, which is also the document's title, with the page's actions beside it. */
export function PageHeader({ title, about, isDense = false, children }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · MACE Memory`;
  }, [title]);
  return (
    <header className={`${styles.header} ${isDense ? styles.dense : ''}`}>
      <div className={styles.words}>
        <h1>
          <VisibleText text={title} />
        </h1>
        {about !== undefined && <p className={styles.about}>{about}</p>}
      </div>
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </header>
  );
}
