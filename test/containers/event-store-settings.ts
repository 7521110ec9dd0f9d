/** The image of the server; MACE_EVENTSTORE_IMAGE names another one, as in docker-compose.yml. */
export const EVENT_STORE_IMAGE =
  process.env['MACE_EVENTSTORE_IMAGE'] || 'eventstore/eventstore:24.10';

/** The port inside each container. */
export const NODE_PORT = 2113;

/** Where a container has its certificates. */
export const CERTIFICATES = {
  authority: '/authority/ca.crt',
  certificate: '/certificates/node.crt',
  key: '/certificates/node.key',
} as const;

type Environment = Record<string, string>;

const COMMON: Environment = {
  EVENTSTORE_MEM_DB: 'true',
  EVENTSTORE_RUN_PROJECTIONS: 'None',
  EVENTSTORE_TELEMETRY_OPTOUT: 'true',
};

export const INSECURE_NODE: Environment = { ...COMMON, EVENTSTORE_INSECURE: 'true' };

/** The settings of a node with TLS and users. */
export const securedNode = (adminPassword: string): Environment => ({
  ...COMMON,
  EVENTSTORE_CERTIFICATE_FILE: CERTIFICATES.certificate,
  EVENTSTORE_CERTIFICATE_PRIVATE_KEY_FILE: CERTIFICATES.key,
  EVENTSTORE_TRUSTED_ROOT_CERTIFICATES_PATH: CERTIFICATES.authority.replace('/ca.crt', ''),
  EVENTSTORE_DEFAULT_ADMIN_PASSWORD: adminPassword,
  EVENTSTORE_DEFAULT_OPS_PASSWORD: adminPassword,
});

export const securedUrl = (
  host: string,
  port: number,
  user: { readonly name: string; readonly password: string },
  authorityFile: string,
): string =>
  `esdb://${user.name}:${encodeURIComponent(user.password)}@${host}:${port}?tlsCAFile=${encodeURIComponent(authorityFile)}`;

/** The name of a cluster's node in the network of the containers. */
export const nodeName = (index: number): string => `event-store-${index + 1}`;

/**
 * The settings of one node of a cluster. The nodes reach each other by their names, and advertise to clients a port of
 * this machine. A node keeps its data in the container, so that it has them after a kill.
 */
export function clusterNode(index: number, ports: readonly number[]): Environment {
  const seeds = ports.flatMap((_, other) => (other === index ? [] : [nodeName(other)]));
  const { EVENTSTORE_MEM_DB: _, ...settings } = INSECURE_NODE;
  return {
    ...settings,
    EVENTSTORE_CLUSTER_SIZE: String(ports.length),
    EVENTSTORE_DISCOVER_VIA_DNS: 'false',
    EVENTSTORE_REPLICATION_IP: '0.0.0.0',
    EVENTSTORE_NODE_IP: '0.0.0.0',
    EVENTSTORE_GOSSIP_SEED: seeds.map((name) => `${name}:${NODE_PORT}`).join(','),
    EVENTSTORE_REPLICATION_HOST_ADVERTISE_AS: nodeName(index),
    EVENTSTORE_NODE_HOST_ADVERTISE_AS: nodeName(index),
    EVENTSTORE_ADVERTISE_HOST_TO_CLIENT_AS: '127.0.0.1',
    EVENTSTORE_ADVERTISE_NODE_PORT_TO_CLIENT_AS: String(ports[index]),
  };
}

export const clusterUrl = (ports: readonly number[]): string =>
  `esdb://${ports.map((port) => `127.0.0.1:${port}`).join(',')}?tls=false`;
