/** A command that could not be carried out. The message is the text that the model is to see. */
export class MemoryToolError extends Error {
  override readonly name = 'MemoryToolError';

  /** Returns the message alone, because the AI SDK tells the model this text. */
  override toString(): string {
    return this.message;
  }
}
