import { stopSharedServers } from '#test/support/shared-servers.js';

export default stopSharedServers;
