import { mintToken, serviceUrl } from './connection.mjs';

/** A personal address that the service recognises, so that what has it is stored sealed. */
export const EMAIL = 'ines.varga@fastmail.test';

async function post(path, owner, body = {}) {
  const response = await fetch(`${serviceUrl()}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mintToken(owner)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${answer.developer_message}`);
  return answer;
}

/** Erases the personal data of a user, as the user, the council and an admin do it. */
export async function erase(userId) {
  let request = await post(
    'action-requests',
    { sub: userId, role: 'user' },
    {
      kind: 'erasure',
      subject: `user:${userId}`,
      reason_code: 'legal_erasure',
      justification: 'I want to be forgotten.',
    },
  );
  const { request_id, proposal_hash } = request;
  for (let voter = 0; request.status === 'pending'; voter += 1)
    request = await post(
      `action-requests/${request_id}/votes`,
      { sub: `council-${voter}`, role: 'council' },
      { vote: 'approve', reason: 'The subject asked for it.', proposal_hash },
    );
  await post(`erasures/${request_id}/execution`, { sub: 'admin', role: 'admin' });
}
