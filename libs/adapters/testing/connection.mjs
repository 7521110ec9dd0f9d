import { createHmac } from 'node:crypto';

const HOUR_SECONDS = 3_600;

/** Returns a variable that `with-service.mjs` sets. */
function given(name) {
  const value = process.env[name];
  if (value === undefined || value === '')
    throw new Error(`${name} is not set. Run the tests with "npm test", which starts a service.`);
  return value;
}

/** Returns the base URL of the service that the tests use. */
export const serviceUrl = () => given('MACE_URL');

/** Mints a token of this service (JWT, HS256) that is valid for an hour. */
export function mintToken({ sub, role = 'agent', userId }) {
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub, roles: [role], user_id: userId, iat: now, exp: now + HOUR_SECONDS };
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = createHmac('sha256', given('MACE_JWT_SECRET')).update(signed);
  return `${signed}.${signature.digest('base64url')}`;
}
