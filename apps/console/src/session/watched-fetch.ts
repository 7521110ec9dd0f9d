import { serviceHealth } from './service-health';

/**
 * Returns a fetch that notices what every page must know: a refused token, and a service that does not answer or
 * that answers 503.
 */
export const watchedFetch =
  (onRefusedToken: () => void): typeof fetch =>
  async (input, init) => {
    try {
      const response = await fetch(input, init);
      if (response.status === 401) onRefusedToken();
      if (response.status === 503) serviceHealth.check();
      return response;
    } catch (error) {
      if (init?.signal?.aborted !== true) serviceHealth.check();
      throw error;
    }
  };
