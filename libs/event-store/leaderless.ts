import type { Metadata } from '@grpc/grpc-js';

const NO_LEADER = /server is not ready|no leader info/i;

/** Returns true for the answer of a node that cannot name a leader: an election goes on, or it starts. */
export const isLeaderless = ({ message }: Error): boolean => NO_LEADER.test(message);

/** Returns true for the answer of a node that is not the leader and names the leader. */
export const isNotLeader = (failure: Error): boolean =>
  'metadata' in failure && (failure.metadata as Metadata).get('exception').includes('not-leader');
