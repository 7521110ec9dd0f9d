import { sha256Hex } from '../determinism/hash.js';

/** h(0) of the episodic snapshot chain (SPEC J1). */
export const EPISODE_CHAIN_START = '0'.repeat(64);

/** h(n) = sha256(h(n−1) + episodic_id), in log order (SPEC J1). */
export const episodeChain = (previous: string, episodicId: string): string =>
  sha256Hex(previous + episodicId);

/** The id of the snapshot that ends with this hash. */
export const episodicSnapshotId = (chainHash: string): string => `episodes:${chainHash}`;
