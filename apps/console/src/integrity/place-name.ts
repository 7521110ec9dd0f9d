/** Returns the name of a place of checkpoints as people read it. */
export const placeName = (place: string): string =>
  place === 'data_dir' ? 'the data directory' : place;
