import { Link, type LinkProps } from '@tanstack/react-router';
import styles from './section-nav.module.css';

interface SectionNavProps {
  /** Names the navigation, for example `Integrity`. */
  readonly label: string;
  readonly pages: readonly { readonly to: NonNullable<LinkProps['to']>; readonly name: string }[];
}

/** The subpages of an area, under its heading. */
export const SectionNav = ({ label, pages }: SectionNavProps) => (
  <nav aria-label={label} className={styles.nav}>
    {pages.map(({ to, name }) => (
      <Link
        key={to}
        to={to}
        className={styles.link}
        activeProps={{ className: styles.active }}
        activeOptions={{ exact: true, includeSearch: false }}
      >
        {name}
      </Link>
    ))}
  </nav>
);
