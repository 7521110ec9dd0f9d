export const HARD_TEXTS: readonly { readonly name: string; readonly text: string }[];
export function stored(text: string): string;
export function replacedIn(text: string): number;
export function isOverLong(text: string): boolean;
export const LOOKALIKES: readonly Readonly<Record<string, unknown>>[];
export const HARD_VALUES: readonly {
  readonly name: string;
  readonly value: unknown;
  readonly kept: unknown;
}[];
export const UNCARRIABLE_VALUES: readonly { readonly name: string; readonly value: unknown }[];
export const JOINABLE_IDS: readonly (readonly [
  readonly [string, string],
  readonly [string, string],
])[];
export const NAME_FORMS: readonly [string, string];
export function idsInOrder(count?: number): string[];
