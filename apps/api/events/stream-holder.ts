/** The holder of a stream of events. */
export interface StreamHolder {
  readonly sub: string;
  /** The wall-clock time in ms at which the holder's token expires. */
  readonly until: number;
}
