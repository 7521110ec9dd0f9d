import { generateKeyPairSync, sign } from 'node:crypto';
import { commonName, der, hex, pem, sequence, VALIDITY } from './der.js';

const ECDSA_WITH_SHA256 = sequence(hex('06082a8648ce3d040302'));

/**
 * Makes a certificate for the host, valid until 2049 and signed by its own new key. Returns both as PEM.
 */
export function selfSignedCertificate(host: string): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = commonName(host);
  const toBeSigned = sequence(
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    VALIDITY,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, privateKey));
  return {
    certificate: pem(sequence(toBeSigned, ECDSA_WITH_SHA256, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
