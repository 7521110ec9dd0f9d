/** Encodes a DER element: its tag, its length, its content. */
export function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length =
    content.length < 128
      ? Buffer.from([content.length])
      : Buffer.from([0x82, content.length >> 8, content.length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, content]);
}

export const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
export const hex = (text: string): Buffer => Buffer.from(text, 'hex');

/** The first and the last day on which a certificate of the tests is valid. */
export const VALIDITY = sequence(utcDay('200101'), utcDay('490101'));

function utcDay(text: string): Buffer {
  return der(0x17, Buffer.from(`${text}000000Z`));
}

/** Encodes a name that consists of a common name. */
export const commonName = (name: string): Buffer =>
  sequence(der(0x31, sequence(hex('0603550403'), der(0x0c, Buffer.from(name)))));

export function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
