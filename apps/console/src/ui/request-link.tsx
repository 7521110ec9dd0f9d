import { Link } from '@tanstack/react-router';

export const RequestLink = ({ id }: { readonly id: string }) => (
  <Link to="/requests/$id" params={{ id }}>
    request {id}
  </Link>
);
