import { Link } from '@tanstack/react-router';
import { Message } from '../ui/message';
import { PageHeader } from '../ui/page-header';

export const NotFound = () => (
  <>
    <PageHeader title="There is no page at this address" />
    <Message title="The address may be cut off, or from another release">
      <Link to="/">Go to the start page</Link>
    </Message>
  </>
);
