import { isNativeError } from 'node:util/types';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { createContext } = vm;

/**
 * Runs a test file in its own V8 context, in a process that it shares with other files. Some things are
 * changed so that the tests and the product work as in a process of their own.
 */
export default class extends TestEnvironment {
  constructor(...args) {
    // Jest's own context intercepts each access to a global, which makes the product four times slower.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
    }
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
  }

  async teardown() {
    // The 'exit' listeners of the file remove its folders and stop its servers.
    this.global.process.emit('exit', 0);
    await super.teardown();
  }
}
