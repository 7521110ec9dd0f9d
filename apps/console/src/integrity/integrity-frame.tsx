import type { ReactNode } from 'react';
import { PageHeader } from '../ui/page-header';
import { SectionNav } from '../ui/section-nav';
import { Stack } from '../ui/stack';

const PAGES = [
  { to: '/integrity', name: 'Verification' },
  { to: '/integrity/checkpoints', name: 'Checkpoints' },
  { to: '/integrity/quarantine', name: 'Quarantine' },
  { to: '/integrity/projections', name: 'Read models' },
  { to: '/integrity/storage', name: 'Storage' },
] as const;

interface IntegrityFrameProps {
  readonly title: string;
  readonly about: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export const IntegrityFrame = ({ title, about, actions, children }: IntegrityFrameProps) => (
  <>
    <PageHeader title={title} about={about}>
      {actions}
    </PageHeader>
    <SectionNav label="Integrity" pages={PAGES} />
    <Stack>{children}</Stack>
  </>
);
