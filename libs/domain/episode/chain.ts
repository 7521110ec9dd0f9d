import { sha256Hex } from '../determinism/hash.js';

/** The start of the chain that hashes the episodes of a snapshot: h(0) in SPEC J1. */
export const EPISODE_CHAIN_START = '0'.repeat(64);

/** Returns the next hash of the chain: h(n) = sha256(h(n−1) + episodic_id), in log order (SPEC J1). */
export const episodeChain = (previous: string, episodicId: string): string =>
  sha256Hex(previous + episodicId);

/** Returns the id of the snapshot whose last hash is `chainHash`. */
export const episodicSnapshotId = (chainHash: string): string => `episodes:${chainHash}`;
