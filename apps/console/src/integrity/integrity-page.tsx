import { PageHeader } from '../ui/page-header';

export const IntegrityPage = () => <PageHeader title="Integrity" />;
