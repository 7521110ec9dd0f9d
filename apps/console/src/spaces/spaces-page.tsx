import { PageHeader } from '../ui/page-header';

export const SpacesPage = () => <PageHeader title="Spaces" />;
