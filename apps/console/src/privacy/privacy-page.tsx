import { PageHeader } from '../ui/page-header';

export const PrivacyPage = () => <PageHeader title="Privacy" />;
