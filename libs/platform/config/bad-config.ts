/**
 * Thrown if a setting prevents the program from starting. The message is one sentence that names the
 * setting, and never shows a secret.
 */
export class BadConfig extends Error {
  override readonly name = 'BadConfig';
}
