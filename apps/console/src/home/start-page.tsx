import { PageHeader } from '../ui/page-header';

export const StartPage = () => <PageHeader title="Start" />;
