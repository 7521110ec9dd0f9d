import './session/arrival';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient } from './data/query-client';
import { pressHeldEnterOnce } from './keys/held-enter';
import { router } from './router';
import { SessionProvider } from './session/session-provider';
import { showTheme, storedTheme } from './shell/theme';
import { Announcer } from './ui/announcer';
import './ui/styles.css';

showTheme(storedTheme());
pressHeldEnterOnce();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <Announcer>
          <RouterProvider router={router} />
        </Announcer>
      </SessionProvider>
    </QueryClientProvider>
  </StrictMode>,
);
