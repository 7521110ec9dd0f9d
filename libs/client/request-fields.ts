// Made by `npm run generate:client` from openapi.json: do not edit.

/**
 * The fields of requests that callers of the SDK fill in, and of objects in them: `!` follows the name of a required one,
 * and a colon what a field of a query string takes.
 */
export const REQUEST_FIELDS = {
  'POST /v1/consents': 'text! scope! job_seed',
  'GET /v1/consents': 'at:moment',
  'GET /v1/retention': 'cursor:cursor limit:1-500',
  'POST /v1/jobs': 'job_seed session_id user_id seeded_epoch goal constants',
  'GET /v1/jobs':
    'status:running|ended session_id owner user_id seed_prefix sample:false at:moment cursor:cursor limit:1-500',
  'GET /v1/jobs/{seed}': 'version:0- at:moment unredacted:true',
  'POST /v1/jobs/{seed}/wm': 'expected_version type! value! ttl_ticks',
  'POST /v1/jobs/{seed}/wm/find': 'equals exists absent',
  'POST /v1/jobs/{seed}/cwm/find': 'equals exists absent',
  'POST /v1/jobs/{seed}/episodes': 'expected_version summary! payload evidence source',
  'GET /v1/sem': 'prefix user_id cursor:cursor limit:1-1000 at:moment',
  'GET /v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}':
    'snapshot_id:snapshotId version:0- job_seed at:moment unredacted:true',
  'PUT /v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}':
    'value! timestamp source notes meta idempotency_token',
  'GET /v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}/history':
    'before:0- at:moment limit:1-100',
  'POST /v1/sem-keys': 'scope! entity_type! entity_id attribute! user_id',
  'GET /v1/sem-snapshots/{id}': 'prefix user_id cursor:cursor limit:1-1000',
  'GET /v1/streams/bundle': 'stream!',
  'PUT /v1/threads/checkpoints':
    'thread_id! namespace checkpoint_id! parent_checkpoint_id checkpoint! metadata! channel_versions! channel_values! empty_channels',
  'GET /v1/threads/checkpoints':
    'thread_id! namespace checkpoint_id version:0- at:moment owner:owner unredacted:true',
  'PUT /v1/threads/writes': 'thread_id! namespace checkpoint_id! task_id! task_path writes!',
  'POST /v1/threads/list':
    'thread_id namespace checkpoint_id before filter limit cursor owner unredacted',
  'GET /v1/threads/bundle': 'thread_id! namespace owner:owner',
  'POST /v1/threads/replays': 'thread_id! namespace owner mode',
  'GET /v1/collisions': 'status:open|closed cursor:cursor limit:1-500',
  'GET /v1/conversations/{id}/items':
    'owner:owner last:1-1000 before:0- version:0- at:moment unredacted:true',
  'POST /v1/conversations/{id}/transactions':
    'expected_version operation_id! from to expected_suffix items!',
  'GET /v1/conversations/{id}/bundle': 'owner:owner',
  'POST /v1/episodes/query':
    'query_terms! max_results ranking time_window user_id snapshot_id job_seed',
  'GET /v1/episodes/{id}': 'unredacted:true',
  'GET /v1/action-requests/figures': 'from:time to:time bucket:day|week|month',
  'POST /v1/action-requests/rejections': 'requests! reason! reason_code',
  'POST /v1/action-requests/approvals': 'requests! reason!',
  'POST /v1/action-requests':
    'kind episodic_id target_sem_key value consent_id subject reason_code justification! evidence',
  'GET /v1/action-requests':
    'status:pending|approved|executed|execution_refused|rejected|expired risk:low|medium|high kind:sem_put|sensitive_consent|erasure proposer key_prefix text voted:true|false would_be_refused:true|false question:waiting|answered|answered_caller assigned_to snoozed:true|false order:oldest|newest|deadline|risk counts:true at:moment cursor:cursor limit:1-500',
  'GET /v1/action-requests/{id}': 'at:moment unredacted:true',
  'POST /v1/action-requests/{id}/votes': 'vote! reason! reason_code proposal_hash!',
  'POST /v1/action-requests/{id}/revisions': 'value! reason!',
  'POST /v1/action-requests/{id}/clearances': 'proposal_hash! finding! reason!',
  'GET /v1/jobs/{seed}/events':
    'from:0- limit:1-1000 format:json|plain skip:0- types:typeNames kind:input|outcome from_tick:0- to_tick:0- text words actor_name',
  'GET /v1/jobs/{seed}/knew': 'version:0- at:moment cursor:cursor limit:1-200',
  'GET /v1/events': 'after until categories:categoryNames',
  'POST /v1/reflective-logs':
    'source! query_id! query_text_hash! qcp_summary! agents_invoked! agent_outputs! council_votes! final_answer! final_confidence! repair_loops! cache_hit! runtime_metrics! system_version! log_id! created_at! sem_snapshot_hash! job_seed! stream_head_hash! episodic_snapshot_id! brainstate_snapshot_id! evidence! redactions! signature',
  'GET /v1/reflective-logs': 'cursor:cursor limit:1-100 job_seed query_id',
  'GET /v1/reflective-logs/{id}': 'artifacts:true|false',
  'POST /v1/reflective-logs/{id}/amendments': 'changes! effect!',
  'POST /v1/reflective-logs/{id}/feedback': 'rating comment',
  'GET /v1/quarantine': 'cursor:cursor limit:1-100',
  'POST /v1/integrity/verification': 'decisions means',
  'GET /v1/integrity/checkpoints': 'cursor:cursor limit:1-500',
  'GET /v1/memories': 'user_id tag at:moment limit:1-500 cursor:cursor',
  'GET /v1/memories/bundle': 'user_id',
  'GET /v1/memories/{memory_id}': 'user_id version:0- at:moment unredacted:true',
  'PUT /v1/memories/{memory_id}': 'text! if_version tags user_id',
  'POST /v1/memory/recall':
    'assistant! session_id! user_id project_root memory! policy phase query! trace',
  'POST /v1/memory/interactions':
    'assistant! session_id! user_id project_root memory! policy phase user_text! ai_text! tool_events turn_altered phase_diff',
  'GET /v1/memory':
    'space:session|user|project|system prefix user_id at:moment cursor:cursor limit:1-200',
  'GET /v1/memory/sessions': 'user_id! at:moment cursor:cursor limit:1-200',
  'GET /v1/memory/{space}/{owner}': 'tick:0- at:moment',
  'GET /v1/memory/{space}/{owner}/phases': 'at:moment',
  'GET /v1/memory/{space}/{owner}/phases/diff': 'from! to! at:moment',
  'GET /v1/memory/{space}/{owner}/turns': 'before:0- from:0- limit:1-100 at:moment',
  'GET /v1/memory/{space}/{owner}/traces': 'from:0- limit:1-500 format:json|plain at:moment',
  'GET /v1/positions': 'at!:moment',
  'GET /v1/positions/bundle': 'at:moment job_seed user_id prefix',
  'GET /v1/notes':
    'owner:owner namespace:texts key stream:noteStream version:0- at:moment unredacted:true',
  'POST /v1/notes/list': 'owner prefix depth filter limit cursor',
  'POST /v1/notes/namespaces': 'owner prefix suffix max_depth limit cursor',
  'POST /v1/notes/history': 'owner namespace key stream limit cursor',
  'GET /v1/notes/bundle': 'owner:owner namespace:texts key stream:noteStream',
  'GET /v1/oversight/accesses': 'cursor:cursor limit:1-500 sub stream user_id at:moment',
  'GET /v1/oversight/refusals': 'cursor:cursor limit:1-500 sub',
  'GET /v1/oversight/consents': 'cursor:cursor limit:1-500 user_id status:given|revoked at:moment',
  'POST /v1/search':
    'query! kinds job_seed session_id space namespace time_window recorded_window as_of at max_results explain record_in ranking_version operators user_id project_root',
  'GET /v1/why': 'kind!:fact|episode|memory_item|note id! at:moment',
  'GET /v1/why/reads':
    'kind!:fact|episode|memory_item|note id! at:moment cursor:cursor limit:1-100',
  'GET /v1/why/accesses':
    'kind!:fact|episode|memory_item|note id! at:moment cursor:cursor limit:1-100',
  'POST /v1/route': 'query_text! user_id context_tags',
  'POST /v1/queries': 'query_text! user_id job_seed confirm context_tags constants',
  'GET /v1/reviews': 'cursor:cursor limit:1-500',
  'GET /v1/admin/queue': 'cursor:cursor limit:1-500',
  LogAccountDto:
    'source!:system|user_request|api query_id! query_text_hash! qcp_summary!:object agents_invoked!:list agent_outputs!:list council_votes!:list final_answer! final_confidence!:number repair_loops!:number cache_hit!:true|false runtime_metrics!:object system_version!',
  MemorySettingsDto: 'short_term!:number semantic!:true|false profile!:true|false',
  PhaseDto: 'token! name reason',
  PolicyDto:
    'write_policy:none|minimal|normal|aggressive forget_policy:never|ttl|decay allow_event_types:list deny_event_types:list retention:object promotion:object authority_order:list allow_cross_phase_recall:true|false max_phases:number phase_enabled:true|false diff_enabled:true|false ranking:overlap|relevance spaces:object privacy:object',
} as const;

/** Examples of the bodies of some requests. */
export const EXAMPLES: Readonly<Partial<Record<keyof typeof REQUEST_FIELDS, object>>> = {
  'POST /v1/consents': { text: 'You may keep my address.', scope: 'persistent' },
  'POST /v1/jobs': { job_seed: 'trip-1', goal: 'Book a hotel in Oslo.' },
  'POST /v1/jobs/{seed}/wm': { type: 'fact', value: 'The office moved to Porto.' },
  'POST /v1/jobs/{seed}/episodes': {
    summary: 'The office moved to Porto.',
    payload: { city: 'Porto' },
  },
  'PUT /v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}': { value: 330 },
  'PUT /v1/threads/checkpoints': {
    thread_id: 'trip',
    checkpoint_id: '1',
    checkpoint: { v: 4 },
    metadata: { step: 0 },
    channel_versions: { messages: 1 },
    channel_values: { messages: ['Where is the ship?'] },
  },
  'POST /v1/threads/list': { limit: 20 },
  'POST /v1/episodes/query': { query_terms: 'hotel Oslo', max_results: 5 },
  'POST /v1/action-requests': {
    episodic_id: 'ep:00000000-0000-5000-8000-000000000000',
    target_sem_key: 'world/fact/tower/height',
    value: 330,
    justification: 'The page of its owner says so.',
  },
  'POST /v1/action-requests/{id}/votes': {
    vote: 'approve',
    reason: 'The page says so.',
    proposal_hash: 'as GET /v1/action-requests/{id} shows it',
  },
  'PUT /v1/memories/{memory_id}': { text: 'Is allergic to peanuts and cashews', user_id: 'ada' },
  'POST /v1/memory/recall': {
    assistant: 'guide',
    session_id: 'trip-1',
    user_id: 'ada',
    memory: { short_term: 10, semantic: true, profile: true },
    query: 'Which seat?',
  },
  'POST /v1/memory/interactions': {
    assistant: 'guide',
    session_id: 'trip-1',
    user_id: 'ada',
    memory: { short_term: 10, semantic: true, profile: true },
    user_text: 'Which seat?',
    ai_text: 'The one at the window.',
  },
  'POST /v1/notes/list': { prefix: ['trips'], limit: 20 },
  'POST /v1/notes/history': { namespace: ['trips'], key: 'oslo' },
  'POST /v1/search': { query: 'hotel in Oslo' },
  'POST /v1/queries': { query_text: 'How high is the tower?' },
};
