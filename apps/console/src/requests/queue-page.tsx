import { PageHeader } from '../ui/page-header';

export const QueuePage = () => <PageHeader title="Requests" />;
