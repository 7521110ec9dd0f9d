import type { ReactNode } from 'react';
import { hasRole, WATCHERS } from '../session/session';
import { useSession } from '../session/session-provider';
import { Message } from '../ui/message';
import { PageHeader } from '../ui/page-header';
import { SectionNav } from '../ui/section-nav';
import { Stack } from '../ui/stack';

const PAGES = [
  { to: '/privacy', name: 'Consents', roles: ['user', 'agent', ...WATCHERS] },
  { to: '/person', name: 'One person', roles: ['user', 'agent', ...WATCHERS] },
  { to: '/privacy/erasures', name: 'Erasures', roles: ['user', 'agent', ...WATCHERS] },
  { to: '/privacy/accesses', name: 'Unredacted reads', roles: WATCHERS },
  { to: '/privacy/refusals', name: 'Refused commands', roles: ['admin', 'auditor'] },
  { to: '/privacy/retention', name: 'Retention', roles: ['admin', 'auditor'] },
] as const;

interface PrivacyFrameProps {
  readonly to: (typeof PAGES)[number]['to'];
  readonly title: string;
  readonly about: string;
  readonly children: ReactNode;
}

/** The heading and the navigation of a page about privacy. A role for which the page is not sees the reason. */
export function PrivacyFrame({ to, title, about, children }: PrivacyFrameProps) {
  const session = useSession();
  const pages = PAGES.filter(({ roles }) => hasRole(session, ...roles));
  return (
    <>
      <PageHeader title={title} about={about} />
      <SectionNav label="Privacy" pages={pages} />
      {pages.some((page) => page.to === to) ? (
        <Stack>{children}</Stack>
      ) : (
        <Message title="This page is not for your role" kind="warning">
          Sign in with one of these roles: {PAGES.find((page) => page.to === to)?.roles.join(', ')}.
        </Message>
      )}
    </>
  );
}
