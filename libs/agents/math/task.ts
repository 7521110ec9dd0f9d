/** What is to be worked out; expressions are texts that nobody has parsed yet. */
export type MathTask =
  | { readonly kind: 'evaluate'; readonly expression: string }
  | { readonly kind: 'simplify'; readonly expression: string }
  | { readonly kind: 'derivative'; readonly expression: string; readonly variable: string | null }
  | {
      readonly kind: 'integral';
      readonly expression: string;
      readonly variable: string | null;
      readonly bounds: { readonly from: string; readonly to: string } | null;
    }
  | {
      readonly kind: 'solve';
      readonly left: string;
      readonly right: string;
      readonly variable: string | null;
    };

/** What came of a task. */
export interface MathResult {
  /** A sentence or an equation. */
  readonly text: string;
  /** False where the text says that it could not be worked out. */
  readonly solved: boolean;
}
