import { type Caller, positionOf } from './caller.js';

/** Writes through callers, and remembers the position of the last write, so that the reads of others can wait for it. */
export class Writes {
  /** The position of the last write, as Mace-Min-Position takes it. */
  after = '0';

  /** Sends a write and returns its body; throws unless the answer is a success. */
  async did<Body>(by: Caller, method: string, path: string, body: object): Promise<Body> {
    const answer = await by.did<Body>(method, path, { body });
    this.after = positionOf(answer);
    return answer.body;
  }
}
