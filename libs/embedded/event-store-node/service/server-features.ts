import { type Call, type CallHandler, framed } from '../protocol/grpc-server.js';
import { bytesField, message, textField } from '../protocol/wire.js';

/** The version whose behaviour is served. */
const SERVER_VERSION = '24.10.0';

/** ServerFeatures.GetSupportedMethods: the client compares paths in lower case. */
export function serverFeatures(paths: readonly string[], call: Call): CallHandler {
  const methods = paths.map((path) => {
    const [, service = '', method = ''] = path.toLowerCase().split('/');
    return bytesField(1, message(textField(1, method), textField(2, service)));
  });
  return {
    message() {
      call.send(framed(message(...methods, textField(2, SERVER_VERSION))));
      call.finish();
    },
  };
}
