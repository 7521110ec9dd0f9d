import { getContainerRuntimeClient, type StartedTestContainer } from 'testcontainers';
import type { FaultyNode } from '../faults/support/leader-faults.js';

/** A node of a cluster in a container. Its port on this machine stays the same after a kill. */
export async function dockerNode(
  container: StartedTestContainer,
  address: string,
): Promise<FaultyNode> {
  const client = await getContainerRuntimeClient();
  const docker = client.container.getById(container.getId());
  return {
    address,
    kill: () => docker.kill().then(() => undefined),
    start: () => docker.start().then(() => undefined),
    pause: () => docker.pause().then(() => undefined),
    resume: () => docker.unpause().then(() => undefined),
  };
}
