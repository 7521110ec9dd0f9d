/** A setting that stops the start. The message is one clear sentence that names it, never its value if secret. */
export class BadConfig extends Error {
  override readonly name = 'BadConfig';
}
