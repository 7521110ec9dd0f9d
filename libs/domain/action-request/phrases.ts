/** A node in the tree of the phrases: what of a phrase has been read when the search is there. */
export type Phrase = number;

const START: Phrase = 0;

/**
 * Finds which of many phrases stand in texts, word by word. Its time grows with the words of the texts alone, however
 * many phrases there are (Aho and Corasick).
 */
export class Phrases {
  private readonly next: Map<string, Phrase>[] = [new Map<string, Phrase>()];
  private readonly back: Phrase[] = [START];
  private readonly isRead: boolean[] = [false];
  private readonly inOrder: Phrase[] = [];

  constructor(phrases: Iterable<readonly string[]>) {
    for (const words of phrases) this.add(words);
    this.linkBack();
  }

  /** Reads a text. A phrase does not continue in the next one. */
  read(words: Iterable<string>): void {
    let at = START;
    for (const word of words) {
      at = this.after(at, word);
      this.isRead[at] = true;
    }
  }

  /** Returns whether each phrase was in one of the texts. */
  found(): (words: readonly string[]) => boolean {
    const isIn = [...this.isRead];
    for (const phrase of this.inOrder.toReversed())
      if (isIn[phrase] === true) isIn[this.back[phrase] ?? START] = true;
    return (words) => isIn[this.nodeOf(words)] === true;
  }

  private add(words: readonly string[]): void {
    let at = START;
    for (const word of words) {
      const branches = this.branches(at);
      const known = branches.get(word);
      if (known !== undefined) {
        at = known;
        continue;
      }
      const added = this.next.length;
      branches.set(word, added);
      this.next.push(new Map());
      this.back.push(START);
      this.isRead.push(false);
      at = added;
    }
  }

  /** Links each node to that of the longest end of its words which also begins a phrase. */
  private linkBack(): void {
    this.inOrder.push(...this.branches(START).values());
    for (const at of this.inOrder)
      for (const [word, child] of this.branches(at)) {
        this.back[child] = this.after(this.back[at] ?? START, word);
        this.inOrder.push(child);
      }
  }

  private after(from: Phrase, word: string): Phrase {
    for (let at = from; ; at = this.back[at] ?? START) {
      const next = this.branches(at).get(word);
      if (next !== undefined) return next;
      if (at === START) return START;
    }
  }

  private nodeOf(words: readonly string[]): Phrase {
    let at = START;
    for (const word of words) at = this.branches(at).get(word) ?? START;
    return at;
  }

  private branches(at: Phrase): Map<string, Phrase> {
    return this.next[at] ?? new Map<string, Phrase>();
  }
}
