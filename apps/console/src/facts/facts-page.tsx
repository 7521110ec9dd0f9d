import { PageHeader } from '../ui/page-header';

export const FactsPage = () => <PageHeader title="Facts" />;
