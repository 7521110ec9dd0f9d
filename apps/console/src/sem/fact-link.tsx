import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { VisibleText } from '../ui/visible-text';
import type { FactSearch } from './facts-search';

interface FactLinkProps {
  /** The canonical key. */
  readonly of: string;
  readonly at?: FactSearch;
  /** The key, if nothing else is said. */
  readonly children?: ReactNode;
}

export function FactLink({ of, at = {}, children }: FactLinkProps) {
  const [scope = '', type = '', id = '', attribute = ''] = of.split('/');
  return (
    <Link
      to="/facts/$scope/$type/$id/$attribute"
      params={{ scope, type, id, attribute }}
      search={at}
    >
      {children ?? <VisibleText text={of} />}
    </Link>
  );
}
