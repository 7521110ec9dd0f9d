import { describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseConnectionString } from '#event-store/connection-string.js';
import { CertificateAuthority } from '#test/support/certificate-authority.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import {
  CERTIFICATES,
  clusterNode,
  clusterUrl,
  nodeName,
  securedNode,
  securedUrl,
} from '../containers/event-store-settings.js';
import { givenServers } from '../containers/given-servers.js';

const PORTS = [2111, 2112, 2113];

describe('The settings of the container suites', () => {
  it('each node of a cluster knows the two others by name, and advertises its own port of this machine to clients', () => {
    const nodes = PORTS.map((_, index) => clusterNode(index, PORTS));
    for (const [index, settings] of nodes.entries()) {
      const others = [0, 1, 2].filter((other) => other !== index).map(nodeName);
      expect(settings).toMatchObject({
        EVENTSTORE_CLUSTER_SIZE: '3',
        EVENTSTORE_GOSSIP_SEED: others.map((name) => `${name}:2113`).join(','),
        EVENTSTORE_NODE_HOST_ADVERTISE_AS: nodeName(index),
        EVENTSTORE_ADVERTISE_NODE_PORT_TO_CLIENT_AS: String(PORTS[index]),
      });
      // A node that is killed must come back with its data.
      expect(settings).not.toHaveProperty('EVENTSTORE_MEM_DB');
    }
  });

  it('the connection string of a cluster names each of its ports', () => {
    const { hosts, isCluster, tls } = parseConnectionString(clusterUrl(PORTS));
    expect(hosts).toStrictEqual(PORTS.map((port) => ({ host: '127.0.0.1', port })));
    expect([isCluster, tls]).toStrictEqual([true, undefined]);
  });

  it('the connection string of a secured node holds any password, and names the authority', () => {
    const folder = temporaryFolder('authority');
    const file = join(folder.path, 'ca.crt');
    writeFileSync(file, new CertificateAuthority().certificate);
    const url = securedUrl('localhost', 2113, { name: 'mace', password: 'a:b@c/d?e&f' }, file);
    const { hosts, tls } = parseConnectionString(url);
    expect(hosts).toStrictEqual([{ host: 'localhost', port: 2113 }]);
    expect(String(tls?.ca)).toMatch(/BEGIN CERTIFICATE/);
    folder.remove();
    const settings = securedNode('secret-of-admin');
    expect(settings['EVENTSTORE_DEFAULT_ADMIN_PASSWORD']).toBe('secret-of-admin');
    expect(settings).not.toHaveProperty('EVENTSTORE_INSECURE');
    expect(CERTIFICATES.authority).toBe(
      `${settings['EVENTSTORE_TRUSTED_ROOT_CERTIFICATES_PATH']}/ca.crt`,
    );
  });

  it('certificates are signed by their authority, for the name that EventStoreDB expects and the given hosts', () => {
    const authority = new CertificateAuthority();
    const ca = new X509Certificate(authority.certificate);
    const node = new X509Certificate(authority.issue(['localhost', '127.0.0.1']).certificate);
    expect(ca.ca).toBe(true);
    expect(ca.verify(ca.publicKey)).toBe(true);
    expect(node.ca).toBe(false);
    expect(node.checkIssued(ca)).toBe(true);
    expect(node.verify(ca.publicKey)).toBe(true);
    expect(node.verify(new X509Certificate(new CertificateAuthority().certificate).publicKey)).toBe(
      false,
    );
    expect(node.subject).toBe('CN=eventstoredb-node');
    expect([node.checkHost('localhost'), node.checkHost('other')]).toStrictEqual([
      'localhost',
      undefined,
    ]);
    expect([node.checkIP('127.0.0.1'), node.checkIP('127.0.0.2')]).toStrictEqual([
      '127.0.0.1',
      undefined,
    ]);
    expect(node.keyUsage).toStrictEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
  });

  it('servers are given by both variables or by neither', () => {
    const both = { MACE_EVENTSTORE_URL: 'esdb://a', MACE_POSTGRES_URL: 'postgres://b' };
    expect(givenServers(both)).toStrictEqual(both);
    expect(givenServers({ MACE_EVENTSTORE_URL: '', PATH: '/bin' })).toBeUndefined();
    for (const [name, value] of Object.entries(both))
      expect(() => givenServers({ [name]: value })).toThrow(/Set both/);
  });
});
