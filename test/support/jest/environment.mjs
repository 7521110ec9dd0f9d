import { isNativeError } from 'node:util/types';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { createContext } = vm;

/**
 * A test file runs in its own V8 context, in a process that it shares with other files. This environment
 * makes three things work as in a separate process, for the product and for the tests.
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
    // Node creates its errors outside the context; `instanceof Error` must hold for them, too.
    const { Error: ErrorOfContext } = this.global;
    const isInstance = Function.prototype[Symbol.hasInstance];
    Object.defineProperty(ErrorOfContext, Symbol.hasInstance, {
      value(error) {
        return (this === ErrorOfContext && isNativeError(error)) || isInstance.call(this, error);
      },
    });
  }

  async teardown() {
    // The 'exit' listeners of the file remove its folders and end its servers.
    this.global.process.emit('exit', 0);
    await super.teardown();
  }
}
