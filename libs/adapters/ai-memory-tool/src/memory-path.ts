import { MemoryToolError } from './memory-error.js';

const ROOT = 'memories';

/**
 * Returns the components of a path below `/memories`; none for the directory itself. @throws MemoryToolError for a path
 * that is not below it, or that could be read as leading out of it
 */
export function componentsOf(path: string): string[] {
  if (path !== `/${ROOT}` && !path.startsWith(`/${ROOT}/`))
    throw new MemoryToolError(`Error: Path must start with /${ROOT}, got: ${path}`);
  if (/\p{Surrogate}/u.test(path))
    throw new MemoryToolError('Error: Path has half of a surrogate pair, which cannot be stored');
  const components = path.split('/').filter((component) => component !== '');
  if (components.some(leadsOut))
    throw new MemoryToolError(`Error: Path ${path} would escape /${ROOT} directory`);
  return components.slice(1);
}

/** True for a component that names another directory as it is, or after percent-decoding it any number of times. */
function leadsOut(component: string): boolean {
  let text = component;
  for (;;) {
    if (text === '.' || text === '..' || /[/\\\u0000]/.test(text)) return true;
    const decoded = text.replace(/%[0-9a-f]{2}/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    );
    if (decoded === text) return false;
    text = decoded;
  }
}

/** Returns the path of components below `/memories`. */
export const pathOf = (components: readonly string[]): string =>
  [`/${ROOT}`, ...components].join('/');

/** Stands in a listing for a character that a path cannot have inside a component. */
const SHOWN: Readonly<Record<string, string>> = {
  '/': '∕',
  '\\': '∖',
  '\u0000': '␀',
  '.': '․',
  '%': '٪',
};

/**
 * Returns a component as a listing shows it. A note that another program wrote may have a name that no path can have;
 * it is shown in a form that a path can have, by which `view` and the edits find it.
 */
export function shownComponent(component: string): string {
  if (component === '') return '␀';
  if (!leadsOut(component)) return component;
  const isDots = component === '.' || component === '..';
  return component.replace(
    isDots ? /\./g : /[/\\\u0000%]/g,
    (character) => SHOWN[character] ?? character,
  );
}
