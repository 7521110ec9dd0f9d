interface Sized {
  readonly size: number;
}

/** Keeps the most recently used folds, limited by their number and their total size. */
export class FoldCache<Fold extends Sized> {
  readonly #folds = new Map<string, { readonly fold: Fold; readonly size: number }>();
  #size = 0;

  constructor(
    private readonly maxFolds: number,
    private readonly maxCharacters: number,
  ) {}

  get(stream: string): Fold | undefined {
    return this.#folds.get(stream)?.fold;
  }

  /** Keeps a fold. It must also be called after each use of the fold, to update its age and size. */
  put(stream: string, fold: Fold): void {
    this.drop(stream);
    this.#folds.set(stream, { fold, size: fold.size });
    this.#size += fold.size;
    for (const oldest of this.#folds.keys()) {
      if (this.#folds.size <= this.maxFolds && this.#size <= this.maxCharacters) return;
      this.drop(oldest);
    }
  }

  drop(stream: string): void {
    this.#size -= this.#folds.get(stream)?.size ?? 0;
    this.#folds.delete(stream);
  }
}
