const BAR_CELLS = 24;
const REDRAW_MS = 80;
const PLAIN_LINE_MS = 5_000;

/** Shows the progress of long work: a bar on a terminal, a line every few seconds anywhere else. */
export class Progress {
  #done = 0;
  #total: number | undefined;
  #note = '';
  #shownAt = Date.now();
  #drawn = false;

  constructor(
    private readonly what: string,
    total?: number,
    private readonly stream: NodeJS.WriteStream = process.stderr,
  ) {
    this.#total = total;
  }

  /** Adds `by` to the count, and shows `note` after it. */
  advance(by = 1, note = this.#note): void {
    this.#done += by;
    this.#note = note;
    const every = this.stream.isTTY ? REDRAW_MS : PLAIN_LINE_MS;
    if (Date.now() - this.#shownAt >= every) this.#show();
  }

  /** Raises the total. */
  expectMore(by: number): void {
    this.#total = (this.#total ?? 0) + by;
  }

  /** Removes the bar, so the next output starts on a clean line. */
  finish(): void {
    if (this.#drawn && this.stream.isTTY) this.stream.write('\r\u001b[2K');
  }

  #show(): void {
    this.#shownAt = Date.now();
    this.#drawn = true;
    this.stream.write(this.stream.isTTY ? `\r\u001b[2K${this.#line()}` : `${this.#line()}\n`);
  }

  #line(): string {
    const total = this.#total;
    const count = total === undefined ? `${this.#done}` : `${this.#done}/${total}`;
    const note = this.#note === '' ? '' : `  ${this.#note}`;
    if (!this.stream.isTTY || total === undefined) return `${this.what}: ${count}${note}`;
    const filled = Math.round((BAR_CELLS * Math.min(this.#done, total)) / Math.max(total, 1));
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_CELLS - filled);
    return `${this.what} ${bar} ${count}${note}`.slice(0, this.stream.columns || 80);
  }
}
