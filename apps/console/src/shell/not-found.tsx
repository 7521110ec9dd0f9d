import { Link } from '@tanstack/react-router';
import { Message } from '../ui/message';

export const NotFound = () => (
  <Message title="There is no page at this address">
    <Link to="/">Go to the start page</Link>
  </Message>
);
