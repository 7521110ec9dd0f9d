import { serviceHealth } from './service-health';

/**
 * Returns a fetch that notices what every page must know: a refused token, and a service that does not answer or
 * that fails.
 */
export const watchedFetch =
  (onRefusedToken: () => void): typeof fetch =>
  async (input, init) => {
    try {
      const response = await fetch(input, init);
      if (response.status === 401) onRefusedToken();
      if (response.status >= 500) serviceHealth.check();
      return response;
    } catch (error) {
      if (init?.signal?.aborted !== true) serviceHealth.check();
      throw error;
    }
  };
