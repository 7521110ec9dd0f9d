/** Set by test/support/jest/environment.mjs. */
declare const importOutside: ((specifier: string) => Promise<unknown>) | undefined;

/**
 * Imports a built module or package once per Jest process. Jest loads a normal import again for each test file. The
 * classes of the two copies differ, so `instanceof` fails between them.
 */
export async function loadedOnce<Module>(specifier: string): Promise<Module> {
  const imported =
    typeof importOutside === 'undefined' ? import(specifier) : importOutside(specifier);
  return (await imported) as Module;
}
