import { PageHeader } from '../ui/page-header';

export const JobsPage = () => <PageHeader title="Jobs" />;
