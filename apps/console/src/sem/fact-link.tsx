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

/** The parts of a key, as the address of a fact's page has them. */
export type FactParts = Readonly<Record<'scope' | 'type' | 'id' | 'attribute', string>>;

export function partsOf(key: string): FactParts {
  const [scope = '', type = '', id = '', attribute = ''] = key.split('/');
  return { scope, type, id, attribute };
}

export function FactLink({ of, at = {}, children }: FactLinkProps) {
  return (
    <Link to="/facts/$scope/$type/$id/$attribute" params={partsOf(of)} search={at}>
      {children ?? <VisibleText text={of} />}
    </Link>
  );
}
