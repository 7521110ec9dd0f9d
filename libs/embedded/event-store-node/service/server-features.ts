import { nodeMessages } from '#event-store-protocol/messages.js';
import { type Call, type CallHandler } from '../protocol/grpc-server.js';

/** The version of EventStoreDB that this node imitates. */
const SERVER_VERSION = '24.10.0';

/**
 * Serves ServerFeatures.GetSupportedMethods. The paths are in lower case, as the client compares them.
 */
export function serverFeatures(paths: readonly string[], call: Call): CallHandler {
  return {
    message() {
      const methods = paths.map((path) => {
        const [, service = '', method = ''] = path.toLowerCase().split('/');
        return { method, service };
      });
      call.send(nodeMessages.SupportedMethods.frame({ methods, version: SERVER_VERSION }));
      call.finish();
    },
  };
}
