/** Set by test/support/jest/environment.mjs. */
declare const importOutside: ((specifier: string) => Promise<unknown>) | undefined;

/**
 * Imports a built module or a package that a Jest process loads once for all its test files, while what a
 * test file imports itself is loaded again for each. Its classes are not those that the test file imports,
 * so `instanceof` does not hold between the two.
 */
export async function loadedOnce<Module>(specifier: string): Promise<Module> {
  const imported =
    typeof importOutside === 'undefined' ? import(specifier) : importOutside(specifier);
  return (await imported) as Module;
}
