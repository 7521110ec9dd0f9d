import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { commonName, der, hex, pem, sequence, VALIDITY } from './der.js';

const RSA_WITH_SHA256 = sequence(hex('06092a864886f70d01010b'), hex('0500'));
/** EventStoreDB accepts a node's certificate only with this name, unless it is configured otherwise. */
const NODE_NAME = 'eventstoredb-node';
const AUTHORITY_NAME = 'MACE test authority';

const extension = (oid: string, content: Buffer, ...critical: readonly Buffer[]): Buffer =>
  sequence(hex(oid), ...critical, der(0x04, content));
const CRITICAL = hex('0101ff');
const BASIC_CONSTRAINTS = '0603551d13';
const KEY_USAGE = '0603551d0f';
const EXTENDED_KEY_USAGE = '0603551d25';
const ALTERNATIVE_NAMES = '0603551d11';

const SERVER_AND_CLIENT = sequence(hex('06082b06010505070301'), hex('06082b06010505070302'));

const OF_AUTHORITY = [
  extension(BASIC_CONSTRAINTS, sequence(hex('0101ff')), CRITICAL),
  // Signs certificates.
  extension(KEY_USAGE, hex('03020204'), CRITICAL),
];

/** An authority with a new key, which makes certificates for the nodes of an EventStoreDB. All are valid until 2049. */
export class CertificateAuthority {
  /** The authority's own certificate, as PEM. */
  readonly certificate: string;
  readonly #key: KeyObject;
  #serial = 1;

  constructor() {
    const { publicKey, privateKey } = newKeys();
    this.#key = privateKey;
    this.certificate = this.#signed(AUTHORITY_NAME, publicKey, OF_AUTHORITY);
  }

  /** Makes a certificate and its key, both as PEM, for a node at these host names and IPv4 addresses. */
  issue(hosts: readonly string[]): { readonly certificate: string; readonly key: string } {
    const { publicKey, privateKey } = newKeys();
    const names = hosts.map((host) =>
      isIPv4(host)
        ? der(0x87, Buffer.from(host.split('.').map(Number)))
        : der(0x82, Buffer.from(host)),
    );
    const certificate = this.#signed(NODE_NAME, publicKey, [
      // Signs handshakes, and encrypts keys.
      extension(KEY_USAGE, hex('030205a0'), CRITICAL),
      extension(EXTENDED_KEY_USAGE, SERVER_AND_CLIENT),
      extension(ALTERNATIVE_NAMES, sequence(...names)),
    ]);
    return { certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
  }

  #signed(name: string, publicKey: KeyObject, extensions: readonly Buffer[]): string {
    const toBeSigned = sequence(
      // Version 3, the first that has extensions.
      der(0xa0, hex('020102')),
      der(0x02, Buffer.from([this.#serial++])),
      RSA_WITH_SHA256,
      commonName(AUTHORITY_NAME),
      VALIDITY,
      commonName(name),
      publicKey.export({ type: 'spki', format: 'der' }),
      der(0xa3, sequence(...extensions)),
    );
    const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, this.#key));
    return pem(sequence(toBeSigned, RSA_WITH_SHA256, signature));
  }
}

/** EventStoreDB reads RSA keys only. */
const newKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
