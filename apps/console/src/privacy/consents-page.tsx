import { useLive } from '../live/live';
import { hasRole } from '../session/session';
import { useSession } from '../session/session-provider';
import { AllConsents } from './all-consents';
import { OwnConsents } from './own-consents';
import { PrivacyFrame } from './privacy-frame';

/** Shows users their own consents, and those who watch over the memory the consents of all users (SPEC P4). */
export function ConsentsPage() {
  const session = useSession();
  useLive(['consent'], ['consents']);
  return (
    <PrivacyFrame
      to="/privacy"
      title="Consents"
      about="With a consent, personal data is kept, and only sealed. Without one, it is redacted or refused."
    >
      {hasRole(session, 'user', 'agent') && <OwnConsents />}
      {hasRole(session, 'admin', 'auditor', 'council') && <AllConsents />}
    </PrivacyFrame>
  );
}
