/** Returns who signed a file. It is pinned if the reader named the keys to trust. */
export const signer = ({ key_id, pinned }: { key_id: string; pinned: boolean }): string =>
  `signed by ${key_id}, ${pinned ? 'a given key' : 'signer not pinned'}`;
