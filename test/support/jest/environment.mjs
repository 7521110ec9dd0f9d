import { isNativeError } from 'node:util/types';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import { RecordedHttp } from './recorded-http.mjs';

const { createContext } = vm;

/**
 * Runs a test file in its own V8 context, in a process that it shares with other files. Some things are
 * changed so that the tests and the product work as in a process of their own.
 */
export default class extends TestEnvironment {
  #file;
  #test = '';
  #recorded;

  constructor(...args) {
    // Jest's own context intercepts each access to a global, which makes the product four times slower.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
    }
    this.#file = args[1].testPath;
  }

  async setup() {
    await super.setup();
    // This module is outside the context, and so is what it imports (test/support/loaded-once.ts).
    this.global.importOutside = (specifier) => import(specifier);
    // Node creates its errors outside the context. `instanceof Error` must be true for them as well.
    const { Error: ErrorOfContext } = this.global;
    const isInstance = Function.prototype[Symbol.hasInstance];
    Object.defineProperty(ErrorOfContext, Symbol.hasInstance, {
      value(error) {
        return (this === ErrorOfContext && isNativeError(error)) || isInstance.call(this, error);
      },
    });
    if (process.env.MACE_RECORD_HTTP)
      this.#recorded = new RecordedHttp(this.global, () => this.#test);
  }

  handleTestEvent({ name, test }) {
    if (name === 'test_start') this.#test = titleOf(test);
  }

  async teardown() {
    await this.#recorded?.write(process.env.MACE_RECORD_HTTP, this.#file);
    // The 'exit' listeners of the file remove its folders and stop its servers.
    this.global.process.emit('exit', 0);
    await super.teardown();
  }
}

/** Returns the titles of the groups of a test, and its own. */
const titleOf = ({ parent, name }) =>
  parent === undefined
    ? ''
    : `${titleOf(parent)} › ${name}`.replace(/^ › ROOT_DESCRIBE_BLOCK › /, '');
