/** Thrown if the event store came back with another log than this process has read. */
export class LogReplaced extends Error {
  override readonly name = 'LogReplaced';

  constructor(difference: string) {
    super(
      `The event store came back with another log: ${difference}. What this process remembers is of the former log, so it ends. Start it again.`,
    );
  }
}
