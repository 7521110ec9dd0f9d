/** A task to compute. Its expressions are texts that are not parsed yet. */
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

/** The result of a task. */
export interface MathResult {
  /** The result as a sentence or an equation. */
  readonly text: string;
  /** False if the text explains that the task cannot be computed. */
  readonly solved: boolean;
}
