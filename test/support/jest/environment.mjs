import { isNativeError } from 'node:util/types';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { createContext } = vm;

/**
 * A test file runs in a V8 context of its own, inside a process that it shares with other files. This makes
 * three things as they are in a process of its own, for the product and the tests alike.
 */
export default class extends TestEnvironment {
  constructor(...args) {
    // In Jest's own context V8 calls an interceptor at each access to a global: the product is four times slower.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
    }
  }

  async setup() {
    await super.setup();
    // Node's own errors are made outside the context, and yet they are `instanceof Error`.
    const { Error: ErrorOfContext } = this.global;
    const isInstance = Function.prototype[Symbol.hasInstance];
    Object.defineProperty(ErrorOfContext, Symbol.hasInstance, {
      value(error) {
        return (this === ErrorOfContext && isNativeError(error)) || isInstance.call(this, error);
      },
    });
  }

  async teardown() {
    // What waits for the end of the process removes its folders and ends its servers.
    this.global.process.emit('exit', 0);
    await super.teardown();
  }
}
