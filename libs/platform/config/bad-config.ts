/**
 * A setting that stops the start. The message is one sentence that names the setting, and never a secret
 * value.
 */
export class BadConfig extends Error {
  override readonly name = 'BadConfig';
}
