/**
 * Runs a file of `examples/<name>` and returns what it prints on standard output. It runs on a copy of the
 * folder inside this package (the working directory), so that its imports find the package's own build and
 * the packages of its lock file.
 */
export function runExample(
  name: string,
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<string>;

/**
 * Runs a program of docs/give-your-agent-memory.md, by the file that its info string names, as `runExample`
 * runs an example.
 */
export function runProgramOfPage(
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<string>;

/** Runs a program of this package's README, in the same way. */
export function runProgramOfReadme(
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<string>;
