import { generateKeyPairSync, sign } from 'node:crypto';

/** Encodes a DER element: its tag, its length, its content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length =
    content.length < 128
      ? Buffer.from([content.length])
      : Buffer.from([0x82, content.length >> 8, content.length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const ECDSA_WITH_SHA256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/**
 * Makes a certificate for the host, valid until 2049 and signed by its own new key. Returns both as PEM.
 */
export function selfSignedCertificate(host: string): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(host)))));
  const day = (text: string): Buffer => der(0x17, Buffer.from(`${text}000000Z`));
  const toBeSigned = sequence(
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    sequence(day('200101'), day('490101')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, privateKey));
  return {
    certificate: pem(sequence(toBeSigned, ECDSA_WITH_SHA256, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
