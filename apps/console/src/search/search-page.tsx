import { PageHeader } from '../ui/page-header';

export const SearchPage = () => <PageHeader title="Search" />;
