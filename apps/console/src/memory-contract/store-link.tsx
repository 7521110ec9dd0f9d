import { Link } from '@tanstack/react-router';
import { VisibleText } from '../ui/visible-text';

interface StoreLinkProps {
  readonly space: string;
  readonly owner: string;
}

/** Leads to the store of an owner in a space. */
export const StoreLink = ({ space, owner }: StoreLinkProps) => (
  <Link to="/spaces/$space/$owner" params={{ space, owner }}>
    {space} <VisibleText text={owner} />
  </Link>
);
