import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WhyKind } from './why-search';

interface WhyLinkProps {
  readonly kind: WhyKind;
  readonly id: string;
  readonly children?: ReactNode;
}

/** Leads to where something came from, and who read it. */
export const WhyLink = ({ kind, id, children = 'Why?' }: WhyLinkProps) => (
  <Link to="/why" search={{ kind, id }}>
    {children}
  </Link>
);
