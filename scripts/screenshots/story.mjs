// What the screenshots show: two agents of a travel agency work, and a council reviews what they propose. Everybody
// in it is invented.

const FACTS = [
  ['world/company/northwind/office', ['Lisbon', 'Porto']],
  [
    'world/product/atlas/price',
    [
      { amount: 49, currency: 'EUR' },
      { amount: 52, currency: 'EUR' },
    ],
  ],
  ['world/airline/skyways/baggage', ['one bag of 20 kg', 'one bag of 23 kg']],
  ['world/hotel/miramar/check_in', ['15:00']],
];

const EPISODES = [
  {
    summary: 'The airline’s page now says that one bag of 25 kg is free.',
    key: 'world/airline/skyways/baggage',
    value: 'one bag of 25 kg',
    justification: 'The page of the airline was read twice, with the same result.',
    evidence: [{ type: 'tool_output', text: 'Baggage: 1 × 25 kg included on all fares.' }],
  },
  {
    summary: 'The hotel moved its check-in to 14:00 for the summer.',
    key: 'world/hotel/miramar/check_in',
    value: '14:00',
    justification: 'The hotel wrote so in its confirmation.',
    evidence: [{ type: 'message', text: 'From June on, rooms are ready at 14:00.' }],
  },
  {
    summary: 'Atlas costs 55 EUR from July on.',
    key: 'world/product/atlas/price',
    value: { amount: 55, currency: 'EUR', from: '2027-07-01' },
    justification: 'The price list of the product team.',
    evidence: [{ type: 'document', text: 'Price list, page 3: Atlas 55 EUR' }],
  },
  {
    summary: 'The traveller wants a quiet room at the end of the corridor.',
    key: 'user/profile/user_mira/room',
    value: 'quiet, at the end of the corridor',
    justification: 'She said so in the conversation.',
    evidence: [{ type: 'conversation', text: 'Something quiet, please.' }],
  },
];

/** Fills the memory. `clientOf(roles, sub, user)` returns a client of the SDK. */
export async function tellStory(clientOf) {
  const [admin, council] = [clientOf(['admin'], 'operator'), clientOf(['council'], 'noor')];
  const [research, booking] = [
    clientOf(['agent'], 'research-agent'),
    clientOf(['agent'], 'booking-agent', 'mira'),
  ];
  for (const [key, values] of FACTS)
    for (const value of values) await admin.sem.put(key, { value });
  const requests = await propose(research, booking);
  await bookTrip(booking);
  const mira = clientOf(['user'], 'mira', 'mira');
  await mira.privacy.giveConsent({ text: 'Remember how I like to travel.', scope: 'persistent' });
  await booking.notes.put(['travel', 'mira'], 'seat', 'a window seat, in the front');
  const decided = await council.actionRequests.get(requests[1]);
  await council.actionRequests.vote(decided.request_id, {
    vote: 'approve',
    reason: 'The confirmation of the hotel says the same.',
    proposal_hash: decided.proposal_hash,
  });
  await council.actionRequests.ask(requests[2], 'Does this hold for orders of last year?');
  await admin.integrity.verify();
  return { request: requests[0], job: 'trip-to-porto', fact: EPISODES[1].key };
}

async function propose(research, booking) {
  await research.jobs.start({
    job_seed: 'fare-watch',
    goal: 'Watch the fares and rules of Skyways',
  });
  await booking.jobs.start({ job_seed: 'room-search', goal: 'Find a room in Porto' });
  const requests = [];
  for (const { summary, key, value, justification, evidence } of EPISODES) {
    const isOfUser = key.startsWith('user/');
    const client = isOfUser ? booking : research;
    const job = client.job(isOfUser ? 'room-search' : 'fare-watch');
    const { wm_id } = await job.insert({ type: 'fact', value: summary });
    await job.referenceWm(wm_id);
    const { episodic_id } = await job.writeEpisode({ summary, payload: { read: value } });
    const target_sem_key = key;
    const proposal = { episodic_id, target_sem_key, value, justification, evidence };
    requests.push((await client.actionRequests.propose(proposal)).request_id);
  }
  return requests;
}

/** A job with promotions, from its goal to its end. */
async function bookTrip(booking) {
  await booking.jobs.start({ job_seed: 'trip-to-porto', goal: 'Book a trip to Porto in May' });
  const job = booking.job('trip-to-porto');
  const steps = [
    ['fact', { from: 'Lisbon', to: 'Porto', by: 'train' }],
    ['hint', 'The train at 09:30 has free seats.'],
    ['fact', { hotel: 'Miramar', nights: 3 }],
    ['hint', 'The price is below the limit of the company.'],
    ['fact', { train: 'IC 523', seat: '21A' }],
  ];
  for (const [type, value] of steps) {
    const { wm_id } = await job.insert({ type, value });
    for (let reference = 0; reference < 3; reference += 1) await job.referenceWm(wm_id);
    await job.tick();
  }
  await job.writeEpisode({ summary: 'Booked the train IC 523 and three nights at the Miramar.' });
  await job.tick(2);
  await job.end();
}
