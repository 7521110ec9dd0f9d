import { Link } from '@tanstack/react-router';
import { VisibleText } from '../ui/visible-text';

export const StoreLink = ({ space, owner }: { readonly space: string; readonly owner: string }) => (
  <Link to="/spaces/$space/$owner" params={{ space, owner }}>
    {space} <VisibleText text={owner} />
  </Link>
);
