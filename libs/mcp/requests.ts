// Made by `npm run generate:client` from openapi.json: do not edit.
import type { Schemas } from '#client/schemas.js';

/** The fields of each request that a tool makes: of the path, the query string and the body. */
export interface Requests {
  'POST /v1/remember': Schemas['RememberMemory'];
  'POST /v1/recall': Schemas['RecallMemories'];
  'DELETE /v1/memories/{memory_id}': { readonly memory_id: string; readonly user_id?: string };
  'POST /v1/search': Schemas['SearchMemory'];
  'PUT /v1/notes': Schemas['PutNote'];
  'GET /v1/notes': { readonly owner?: string; readonly namespace?: readonly (string)[]; readonly key?: string; readonly stream?: string; readonly version?: number; readonly at?: string; readonly unredacted?: "true" };
  'POST /v1/notes/list': Schemas['ListNotes'];
  'DELETE /v1/notes': { readonly owner?: string; readonly namespace: readonly (string)[]; readonly key: string; readonly if_version?: number };
  'POST /v1/jobs': Schemas['StartJob'];
  'POST /v1/jobs/{seed}/wm': { readonly seed: string } & Schemas['InsertWm'];
  'POST /v1/jobs/{seed}/wm/{wm_id}/references': { readonly seed: string; readonly wm_id: string } & Schemas['ReferenceWm'];
  'POST /v1/jobs/{seed}/cwm/{item_id}/references': { readonly seed: string; readonly item_id: string } & Schemas['ReferenceCwm'];
  'DELETE /v1/jobs/{seed}/wm/{wm_id}': { readonly seed: string; readonly wm_id: string };
  'DELETE /v1/jobs/{seed}/cwm/{item_id}': { readonly seed: string; readonly item_id: string };
  'POST /v1/jobs/{seed}/ticks': { readonly seed: string } & Schemas['Tick'];
  'POST /v1/jobs/{seed}/end': { readonly seed: string } & Schemas['EndJob'];
  'GET /v1/jobs/{seed}': { readonly seed: string; readonly version?: number; readonly at?: string; readonly unredacted?: "true" };
  'POST /v1/memory/recall': Schemas['RecallMemory'];
  'GET /v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}': { readonly scope: string; readonly entity_type: string; readonly entity_id: string; readonly attribute: string; readonly snapshot_id?: string; readonly version?: number; readonly job_seed?: string; readonly at?: string; readonly unredacted?: "true" };
  'POST /v1/sem-aliases/resolve': Schemas['ResolveAlias'];
  'GET /v1/sem': { readonly prefix?: string; readonly user_id?: string; readonly cursor?: string; readonly limit?: number; readonly at?: string };
  'POST /v1/action-requests': { readonly dry_run?: boolean } & Schemas['Propose'];
  'GET /v1/action-requests/{id}': { readonly id: string; readonly at?: string; readonly unredacted?: "true" };
  'POST /v1/action-requests/{id}/answers': { readonly id: string } & Schemas['AnswerQuestion'];
  'GET /v1/action-requests': { readonly status?: "pending" | "approved" | "executed" | "execution_refused" | "rejected" | "expired"; readonly risk?: "low" | "medium" | "high"; readonly kind?: "sem_put" | "sensitive_consent" | "erasure"; readonly proposer?: string; readonly key_prefix?: string; readonly text?: string; readonly voted?: "true" | "false"; readonly would_be_refused?: "true" | "false"; readonly question?: "waiting" | "answered" | "answered_caller"; readonly assigned_to?: string; readonly snoozed?: "true" | "false"; readonly order?: "oldest" | "newest" | "deadline" | "risk"; readonly counts?: "true"; readonly at?: string; readonly cursor?: string; readonly limit?: number };
  'GET /v1/action-requests/{id}/dossier': { readonly id: string };
  'POST /v1/action-requests/{id}/votes': { readonly id: string } & Schemas['CastVote'];
  'POST /v1/action-requests/{id}/revisions': { readonly id: string } & Schemas['Revise'];
  'POST /v1/action-requests/{id}/questions': { readonly id: string } & Schemas['Ask'];
}

/** The fields of a request, each as a JSON Schema. */
export interface RequestSchema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

export const REQUESTS: Readonly<Record<keyof Requests, RequestSchema>> = {
  'POST /v1/remember': {
    required: [],
    properties: {
      text: {"type":"string","minLength":1,"maxLength":4000,"description":"One memory, kept as it is."},
      said: {"type":"string","minLength":0,"maxLength":16384,"description":"In place of text: what the person said, of which what lasts is kept."},
      user_id: {"type":"string","minLength":1,"maxLength":256,"description":"The person, for an agent’s token without a user; default: the token’s user, or else the agent itself. Auditors, admins and the council read others’ memories, redacted."},
      tags: {"type":"array","maxItems":16,"items":{"type":"string","minLength":1,"maxLength":64},"description":"Words of your own by which a recall or a list may choose."},
      expires_in: {"type":"integer","minimum":1,"maximum":315360000,"description":"The memories lapse after so many seconds. Default: never."},
    },
  },
  'POST /v1/recall': {
    required: [],
    properties: {
      query: {"type":"string","minLength":0,"maxLength":16000,"description":"Words, in any form; default: the newest."},
      user_id: {"type":"string","minLength":1,"maxLength":256,"description":"The person, for an agent’s token without a user; default: the token’s user, or else the agent itself. Auditors, admins and the council read others’ memories, redacted."},
      limit: {"type":"integer","minimum":1,"maximum":100,"description":"The most memories; default: 10."},
      max_chars: {"type":"integer","minimum":100,"maximum":100000,"description":"The most characters of the text; default: 4,000."},
      tags: {"type":"array","maxItems":16,"items":{"type":"string","minLength":1,"maxLength":64},"description":"Only memories that have all these tags."},
      shared: {"type":"boolean","description":"True: public facts and episodes as well."},
      as_of: {"type":"string","minLength":1,"maxLength":18,"pattern":"^\\d{1,18}$","description":"The position in the log; default: its end."},
      at: {"type":"string","pattern":"^(\\d{1,18}|\\d{4}-.+)$","description":"Reads what the log held at this time, or at this position. Not together with as_of. See `GET /v1/positions`."},
      record_in: {"type":"string","minLength":1,"maxLength":128,"pattern":"^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$","description":"The job that records what was recalled."},
    },
  },
  'DELETE /v1/memories/{memory_id}': {
    required: ["memory_id"],
    properties: {
      memory_id: {"type":"string","minLength":1,"maxLength":64,"pattern":"^mem:[0-9a-f-]{36}$","description":"The id of a memory."},
      user_id: {"type":"string","minLength":1,"maxLength":256,"description":"The person, for an agent’s token without a user; default: the token’s user, or else the agent itself. Auditors, admins and the council read others’ memories, redacted."},
    },
  },
  'POST /v1/search': {
    required: ["query"],
    properties: {
      query: {"type":"string","minLength":0,"maxLength":16000,"description":"Words, in any form. A hit has each phrase in quotes, and no word or phrase with a minus sign before it."},
      kinds: {"type":"array","maxItems":6,"items":{"type":"string","enum":["episode","fact","memory_item","note","wm","cwm"]},"description":"Default: all kinds."},
      job_seed: {"type":"string","minLength":1,"maxLength":128,"pattern":"^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$","description":"Finds only what is in this job."},
      session_id: {"type":"string","minLength":1,"maxLength":128,"description":"Finds only what is in this session."},
      space: {"type":"string","enum":["session","user","project","system"],"description":"Finds only items of this space of the Memory Contract."},
      namespace: {"type":"array","maxItems":16,"items":{"type":"string","minLength":1,"maxLength":256},"description":"Finds only notes in this namespace or below it."},
      time_window: {"type":"object","properties":{"from":{"type":"string","format":"date-time"},"to":{"type":"string","format":"date-time"}},"additionalProperties":false,"description":"Bounds of the hits’ `time`, inclusive. It may be logical, which is no date."},
      recorded_window: {"type":"object","properties":{"from":{"type":"string","format":"date-time"},"to":{"type":"string","format":"date-time"}},"additionalProperties":false,"description":"Bounds of the clock when the hits were written, inclusive."},
      as_of: {"type":"string","minLength":1,"maxLength":18,"pattern":"^\\d{1,18}$","description":"The position in the log at which memory is searched. The same search at the same position always gives the same answer."},
      at: {"type":"string","pattern":"^(\\d{1,18}|\\d{4}-.+)$","description":"Reads what the log held at this time, or at this position. Not together with as_of. See `GET /v1/positions`."},
      max_results: {"type":"integer","minimum":1,"maximum":100,"description":"Default 10."},
      explain: {"type":"boolean","description":"Shows what each hit’s score is made of, and who approved a fact."},
      record_in: {"type":"string","minLength":1,"maxLength":128,"pattern":"^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$","description":"The job that records what was found, because it may decide on it."},
      ranking_version: {"type":"integer","minimum":1,"maximum":2,"description":"The version of the ranking; by default the latest."},
      operators: {"type":"boolean","description":"False if quotes and minus signs in the query are only signs; default true."},
      user_id: {"type":"string","minLength":1,"maxLength":256,"description":"The user that an agent’s token without a user acts for."},
      project_root: {"type":"string","minLength":1,"maxLength":4096,"description":"The root of the project whose memory is searched as well."},
    },
  },
  'PUT /v1/notes': {
    required: ["namespace","key","value"],
    properties: {
      owner: {"type":"string","minLength":5,"maxLength":300,"pattern":"^(user|sub):.","description":"`user:<id>`, or `sub:<sub of an agent without a user>`; default: the caller. Only auditors, admins and the council read others’ notes, in which personal data is redacted."},
      namespace: {"type":"array","minItems":1,"maxItems":16,"items":{"type":"string","minLength":1,"maxLength":128},"description":"1 to 16 components of at most 128 characters."},
      key: {"type":"string","minLength":1,"maxLength":256},
      value: {"description":"At most 64 KB as canonical JSON."},
      if_version: {"type":"integer","minimum":0,"maximum":2147483647,"description":"The put fails with VERSION_CONFLICT if the note has another version; 0: it must not exist."},
      ttl_seconds: {"type":"integer","minimum":1,"maximum":315360000,"description":"The note expires so many seconds after this put. Default: never."},
    },
  },
  'GET /v1/notes': {
    required: [],
    properties: {
      owner: {"type":"string","minLength":5,"maxLength":300,"pattern":"^(user|sub):.","description":"`user:<id>`, or `sub:<sub of an agent without a user>`; default: the caller. Only auditors, admins and the council read others’ notes, in which personal data is redacted."},
      namespace: {"type":"array","minItems":1,"maxItems":16,"items":{"type":"string","minLength":1,"maxLength":128},"description":"The components in order."},
      key: {"type":"string","minLength":1,"maxLength":256},
      stream: {"type":"string","minLength":0,"maxLength":69,"pattern":"^note-[0-9a-f]{64}$","description":"The note’s stream, in place of namespace and key."},
      version: {"type":"integer","minimum":0,"maximum":2147483647,"description":"The note as it was at this version; default: the current one."},
      at: {"type":"string","pattern":"^(\\d{1,18}|\\d{4}-.+)$","description":"Reads what the log held at this time, or at this position. Not together with version. See `GET /v1/positions`."},
      unredacted: {"type":"string","enum":["true"],"description":"Shows sealed personal data, to admins and the council only. Each such read is recorded in their audit stream."},
    },
  },
  'POST /v1/notes/list': {
    required: [],
    properties: {
      owner: {"type":"string","minLength":5,"maxLength":300,"pattern":"^(user|sub):.","description":"`user:<id>`, or `sub:<sub of an agent without a user>`; default: the caller. Only auditors, admins and the council read others’ notes, in which personal data is redacted."},
      prefix: {"type":"array","maxItems":16,"items":{"type":"string","minLength":1,"maxLength":128},"description":"Only notes whose namespace begins with these components. Default: all."},
      depth: {"type":"integer","minimum":0,"maximum":16,"description":"The most components that a namespace may have beyond the prefix. Default: any."},
      filter: {"type":"object","additionalProperties":{},"description":"JSON Pointer into the value → conditions, such as `{\"/color\": {\"eq\": \"red\"}}`; one of eq, ne, gt, gte, lt, lte."},
      limit: {"type":"integer","minimum":1,"maximum":1000,"description":"The notes in a page; default: 100."},
      cursor: {"type":"string","minLength":0,"maxLength":16000,"description":"The next_cursor of the previous page."},
    },
  },
  'DELETE /v1/notes': {
    required: ["namespace","key"],
    properties: {
      owner: {"type":"string","minLength":5,"maxLength":300,"pattern":"^(user|sub):.","description":"`user:<id>`, or `sub:<sub of an agent without a user>`; default: the caller. Only auditors, admins and the council read others’ notes, in which personal data is redacted."},
      namespace: {"type":"array","minItems":1,"maxItems":16,"items":{"type":"string","minLength":1,"maxLength":128},"description":"One parameter for each component, in order."},
      key: {"type":"string","minLength":1,"maxLength":256},
      if_version: {"type":"integer","minimum":0,"maximum":2147483647,"description":"The deletion fails with VERSION_CONFLICT if the note has another version."},
    },
  },
  'POST /v1/jobs': {
    required: [],
    properties: {
      job_seed: {"type":"string","minLength":1,"maxLength":128,"pattern":"^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$","description":"Default: a UUIDv7 that the service makes."},
      session_id: {"type":"string","minLength":1,"maxLength":128,"pattern":"^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$","description":"The job starts with the CWM of the session’s last ended job."},
      user_id: {"type":"string","minLength":1,"maxLength":256},
      seeded_epoch: {"type":"string","format":"date-time","description":"Replaces the base of the seeded time."},
      goal: {"type":"string","minLength":0,"maxLength":16000},
      constants: {"type":"object","additionalProperties":{},"description":"Overrides for the constants, such as `{\"promotion_references\": 3}`."},
    },
  },
  'POST /v1/jobs/{seed}/wm': {
    required: ["seed","type","value"],
    properties: {
      seed: {"type":"string","minLength":1,"maxLength":128,"pattern":"^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$"},
      expected_version: {"type":"integer","minimum":0,"maximum":9007199254740991},
      type: {"type":"string","enum":["fact","context","hint","temp"]},
      value: {"description":"At most 16 KB as canonical JSON."},
      ttl_ticks: {"type":"integer","minimum":1,"maximum":10000,"description":"In ticks; default 3."},
    },
  },
  'POST /v1/jobs/{seed}/wm/{wm_id}/references': {
    required: ["seed","wm_id"],
    properties: {
      seed: {"type":"string","minLength":1,"maxLength":128,"pattern":"^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$"},
      wm_id: {"type":"string","minLength":1,"maxLength":256,"pattern":"^[A-Za-z0-9._:-]{1,256}$"},
      expected_version: {"type":"integer","minimum":0,"maximum":9007199254740991},
    },
  },
  'POST /v1/jobs/{seed}/cwm/{item_id}/references': {
    required: ["seed","item_id"],
    properties: {
      seed: {"type":"string","minLength":1,"maxLength":128,"pattern":"^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$"},
      item_id: {"type":"string","minLength":1,"maxLength":256,"pattern":"^[A-Za-z0-9._:-]{1,256}$"},
      expected_version: {"type":"integer","minimum":0,"maximum":9007199254740991},
    },
  },
  'DELETE /v1/jobs/{seed}/wm/{wm_id}': {
    required: ["seed","wm_id"],
    properties: {
      seed: {"type":"string","minLength":1,"maxLength":128,"pattern":"^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$"},
      wm_id: {"type":"string","minLength":1,"maxLength":256,"pattern":"^[A-Za-z0-9._:-]{1,256}$"},
    },
  },
  'DELETE /v1/jobs/{seed}/cwm/{item_id}': {
    required: ["seed","item_id"],
    properties: {
      seed: {"type":"string","minLength":1,"maxLength":128,"pattern":"^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$"},
      item_id: {"type":"string","minLength":1,"maxLength":256,"pattern":"^[A-Za-z0-9._:-]{1,256}$"},
    },
  },
  'POST /v1/jobs/{seed}/ticks': {
    required: ["seed"],
    properties: {
      seed: {"type":"string","minLength":1,"maxLength":128,"pattern":"^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$"},
      expected_version: {"type":"integer","minimum":0,"maximum":9007199254740991},
      count: {"type":"integer","minimum":1,"maximum":1000},
    },
  },
  'POST /v1/jobs/{seed}/end': {
    required: ["seed"],
    properties: {
      seed: {"type":"string","minLength":1,"maxLength":128,"pattern":"^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$"},
      expected_version: {"type":"integer","minimum":0,"maximum":9007199254740991},
      reflective_log: {"type":"object","properties":{"source":{"type":"string","enum":["system","user_request","api"]},"query_id":{"type":"string"},"query_text_hash":{"type":"string","description":"64 hex digits; preferably a keyed hash, because a plain hash of a short text can be guessed."},"qcp_summary":{"type":"object","additionalProperties":{}},"agents_invoked":{"type":"array","items":{"type":"string"}},"agent_outputs":{"type":"array","items":{"type":"object","properties":{"agent_id":{"type":"string"},"text":{"type":"string","description":"At most 16,000 characters stand in the log; the whole of a longer one is what `artifact_url` names."},"confidence":{"type":"number","description":"0..1"},"reasoning_trace":{"type":"array","items":{"type":"string"}},"tokens":{"type":"number"},"time_ms":{"type":"number"},"artifact_url":{"type":"string"}},"required":["agent_id","text","confidence","reasoning_trace","tokens","time_ms"],"additionalProperties":false}},"council_votes":{"type":"array","items":{"type":"object","properties":{"council_agent_id":{"type":"string"},"scores":{"type":"object","properties":{"factuality":{"type":"number"},"coherence":{"type":"number"},"safety":{"type":"number"}},"required":["factuality","coherence","safety"],"additionalProperties":false},"approve":{"type":"boolean"},"suggested_changes":{"type":"string"},"note":{"type":"string","description":"At most 4,000 characters."}},"required":["council_agent_id","scores","approve","suggested_changes","note"],"additionalProperties":false}},"final_answer":{},"final_confidence":{"type":"number","nullable":true,"description":"0..1, or null if no agent answered."},"repair_loops":{"type":"integer"},"cache_hit":{"type":"boolean"},"runtime_metrics":{"type":"object","additionalProperties":{}},"system_version":{"type":"string"}},"description":"The runtime’s own log of the job; an invalid log is refused with LOG_INVALID.","required":["source","query_id","query_text_hash","qcp_summary","agents_invoked","agent_outputs","council_votes","final_answer","final_confidence","repair_loops","cache_hit","runtime_metrics","system_version"],"additionalProperties":false},
    },
  },
  'GET /v1/jobs/{seed}': {
    required: ["seed"],
    properties: {
      seed: {"type":"string","minLength":1,"maxLength":128,"pattern":"^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$"},
      version: {"type":"integer","minimum":0,"maximum":2147483647,"description":"The state after that event; default: the current state."},
      at: {"type":"string","pattern":"^(\\d{1,18}|\\d{4}-.+)$","description":"Reads what the log held at this time, or at this position. Not together with version. See `GET /v1/positions`."},
      unredacted: {"type":"string","enum":["true"],"description":"Shows sealed personal data, to admins and the council only. Each such read is recorded in their audit stream."},
    },
  },
  'POST /v1/memory/recall': {
    required: ["assistant","session_id","memory","query"],
    properties: {
      assistant: {"type":"string","minLength":1,"maxLength":128,"description":"Shown as `ai_profile` in every trace."},
      session_id: {"type":"string","minLength":0,"maxLength":128},
      user_id: {"type":"string","minLength":1,"maxLength":256,"description":"Without a user_id, the session takes the user’s place."},
      project_root: {"type":"string","minLength":1,"maxLength":4096,"description":"An absolute POSIX path. Without it, the request uses no project store."},
      memory: {"type":"object","properties":{"short_term":{"type":"integer","minimum":0,"maximum":1000,"description":"Turns in the short-term window."},"semantic":{"type":"boolean"},"profile":{"type":"boolean"}},"required":["short_term","semantic","profile"],"additionalProperties":false},
      policy: {"type":"object","properties":{"write_policy":{"type":"string","enum":["none","minimal","normal","aggressive"],"description":"Default `normal`: everything except plain context becomes a semantic item."},"forget_policy":{"type":"string","enum":["never","ttl","decay"],"description":"Default `decay`: items expire by type, after 12 to 60 ticks. `ttl`: after 25 ticks."},"allow_event_types":{"type":"array","maxItems":6,"items":{"type":"string","enum":["context","correction","decision","execution","fact","preference"]},"description":"If not empty, only these types are written."},"deny_event_types":{"type":"array","maxItems":6,"items":{"type":"string","enum":["context","correction","decision","execution","fact","preference"]}},"retention":{"type":"object","properties":{"short_term":{"type":"object","properties":{"default":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false},"context":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false},"correction":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false},"decision":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false},"execution":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false},"fact":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false},"preference":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false}},"additionalProperties":false},"semantic":{"type":"object","properties":{"default":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false},"context":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false},"correction":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false},"decision":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false},"execution":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false},"fact":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false},"preference":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false}},"additionalProperties":false},"profile":{"type":"object","properties":{"default":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false},"context":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false},"correction":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false},"decision":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false},"execution":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false},"fact":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false},"preference":{"type":"object","properties":{"mode":{"type":"string","enum":["never","ttl","decay"]},"ttl_ticks":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Default: the ticks that `forget_policy` has for the mode and the type."}},"required":["mode"],"additionalProperties":false}},"additionalProperties":false}},"additionalProperties":false,"description":"Rules for a kind and an event type; they override `forget_policy`."},"promotion":{"type":"object","properties":{"short_term":{"type":"object","properties":{"allowed_event_types":{"type":"array","maxItems":6,"items":{"type":"string","enum":["context","correction","decision","execution","fact","preference"]}}},"required":["allowed_event_types"],"additionalProperties":false},"semantic":{"type":"object","properties":{"allowed_event_types":{"type":"array","maxItems":6,"items":{"type":"string","enum":["context","correction","decision","execution","fact","preference"]}}},"required":["allowed_event_types"],"additionalProperties":false},"profile":{"type":"object","properties":{"allowed_event_types":{"type":"array","maxItems":6,"items":{"type":"string","enum":["context","correction","decision","execution","fact","preference"]}}},"required":["allowed_event_types"],"additionalProperties":false}},"additionalProperties":false,"description":"The types that may become items of a kind."},"authority_order":{"type":"array","maxItems":4,"items":{"type":"string","enum":["system_imposed","tool_verified","user_asserted","ai_inferred"]},"description":"All authorities, from the highest to the lowest; it decides conflicts."},"allow_cross_phase_recall":{"type":"boolean"},"max_phases":{"type":"integer","minimum":1,"maximum":10000,"description":"The number of phases that keep their ledgers; default: all."},"phase_enabled":{"type":"boolean"},"diff_enabled":{"type":"boolean"},"ranking":{"type":"string","enum":["overlap","relevance"],"description":"How a recall ranks semantic items: `overlap` (the default), or `relevance`, as a search does."},"spaces":{"type":"object","properties":{"read_order":{"type":"array","maxItems":4,"items":{"type":"string","enum":["session","user","project","system"]}},"write_spaces":{"type":"array","maxItems":4,"items":{"type":"string","enum":["session","user","project","system"]}},"promotions":{"maxItems":16,"type":"array","items":{"type":"object","properties":{"from_space":{"type":"string","enum":["session","user","project","system"]},"to_space":{"type":"string","enum":["session","user","project","system"]},"allowed_event_types":{"type":"array","maxItems":6,"items":{"type":"string","enum":["context","correction","decision","execution","fact","preference"]}},"min_authority":{"type":"string","enum":["system_imposed","tool_verified","user_asserted","ai_inferred"]},"decision_override":{"type":"boolean"}},"required":["from_space","to_space","allowed_event_types","min_authority","decision_override"],"additionalProperties":false}}},"additionalProperties":false},"privacy":{"type":"object","properties":{"deny_patterns":{"type":"array","maxItems":100,"items":{"type":"string","minLength":1,"maxLength":128}},"allow_profile_keys":{"type":"array","maxItems":20,"items":{"type":"string","minLength":1,"maxLength":64}},"deny_sensitive":{"type":"boolean"}},"additionalProperties":false}},"additionalProperties":false},
      phase: {"type":"object","properties":{"token":{"type":"string","minLength":1,"maxLength":256,"description":"A token that differs from the last one starts a phase."},"name":{"type":"string","minLength":1,"maxLength":128},"reason":{"type":"string","minLength":1,"maxLength":128}},"required":["token"],"additionalProperties":false},
      query: {"type":"string","minLength":0,"maxLength":16384},
      trace: {"type":"boolean","description":"False: no trace is answered, and nothing is recorded where nothing changed. Default true."},
    },
  },
  'GET /v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}': {
    required: ["scope","entity_type","entity_id","attribute"],
    properties: {
      scope: {"type":"string","minLength":1,"maxLength":256},
      entity_type: {"type":"string","minLength":1,"maxLength":256},
      entity_id: {"type":"string","minLength":1,"maxLength":256},
      attribute: {"type":"string","minLength":1,"maxLength":256},
      snapshot_id: {"type":"string","minLength":0,"maxLength":68,"pattern":"^sem:[0-9a-f]{64}$","description":"`sem:<hash>`, as pinned by a job."},
      version: {"type":"integer","minimum":0,"maximum":2147483647,"description":"The number of an event of the fact’s stream."},
      job_seed: {"type":"string","minLength":1,"maxLength":128,"pattern":"^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$","description":"Reads at that job’s snapshot and records the read in the job."},
      at: {"type":"string","pattern":"^(\\d{1,18}|\\d{4}-.+)$","description":"Reads what the log held at this time, or at this position. Not together with snapshot_id, version, job_seed. See `GET /v1/positions`."},
      unredacted: {"type":"string","enum":["true"],"description":"Shows sealed personal data, to admins and the council only. Each such read is recorded in their audit stream."},
    },
  },
  'POST /v1/sem-aliases/resolve': {
    required: ["text"],
    properties: {
      text: {"type":"string","minLength":0,"maxLength":16000},
      user_id: {"type":"string","minLength":1,"maxLength":256},
    },
  },
  'GET /v1/sem': {
    required: [],
    properties: {
      prefix: {"type":"string","minLength":0,"maxLength":256,"description":"The beginning of the keys. To an agent’s token without a user, one that begins with `user/<entity_type>/<entity_id>` names the user."},
      user_id: {"type":"string","minLength":1,"maxLength":256,"description":"The user that an agent’s token without a user acts for. Without one, it lists no user’s facts."},
      cursor: {"type":"string","minLength":0,"maxLength":512},
      limit: {"type":"integer","minimum":1,"maximum":1000},
      at: {"type":"string","pattern":"^(\\d{1,18}|\\d{4}-.+)$","description":"Reads what the log held at this time, or at this position. See `GET /v1/positions`."},
    },
  },
  'POST /v1/action-requests': {
    required: ["justification"],
    properties: {
      dry_run: {"type":"boolean","description":"True: nothing is proposed; the answer says what would become of the proposal."},
      kind: {"type":"string","enum":["sem_put","sensitive_consent","erasure"],"description":"Default: `sem_put`."},
      episodic_id: {"type":"string","minLength":1,"maxLength":256,"pattern":"^[A-Za-z0-9._:-]{1,256}$","description":"`sem_put`: the episode that the proposal is based on."},
      target_sem_key: {"type":"string","minLength":1,"maxLength":256,"description":"`sem_put`: the key to write."},
      value: {"description":"`sem_put`: the value, at most 16 KB canonical."},
      consent_id: {"type":"string","minLength":1,"maxLength":128,"pattern":"^user_[a-z0-9_-]{1,100}\\.[1-9]\\d{0,9}$","description":"`sensitive_consent`: the consent that shall cover sensitive data as well."},
      subject: {"type":"string","minLength":1,"maxLength":300,"description":"`erasure`: whose data is erased, `user:<id>`, `sub:<id>`, `job:<seed>`, `request:<id>` or `fact:<key>`; of facts, only those that the council has cleared."},
      reason_code: {"type":"string","enum":["legal_erasure","retention","other"],"description":"`erasure`: only `legal_erasure` is accepted before the retention period is over."},
      justification: {"type":"string","minLength":1,"maxLength":4000},
      evidence: {"type":"array","maxItems":1000,"items":{"type":"object","additionalProperties":{}},"description":"Any objects. `{note: {namespace, key, version?}}` cites a note of the caller: its stream, version and hash are recorded."},
    },
  },
  'GET /v1/action-requests/{id}': {
    required: ["id"],
    properties: {
      id: {"type":"string","minLength":1,"maxLength":128,"pattern":"^[A-Za-z0-9._:-]{1,128}$"},
      at: {"type":"string","pattern":"^(\\d{1,18}|\\d{4}-.+)$","description":"Reads what the log held at this time, or at this position. See `GET /v1/positions`."},
      unredacted: {"type":"string","enum":["true"],"description":"Shows sealed personal data, to admins and the council only. Each such read is recorded in their audit stream."},
    },
  },
  'POST /v1/action-requests/{id}/answers': {
    required: ["id","answer"],
    properties: {
      id: {"type":"string","minLength":1,"maxLength":128,"pattern":"^[A-Za-z0-9._:-]{1,128}$"},
      answer: {"type":"string","minLength":1,"maxLength":4000},
    },
  },
  'GET /v1/action-requests': {
    required: [],
    properties: {
      status: {"type":"string","enum":["pending","approved","executed","execution_refused","rejected","expired"]},
      risk: {"type":"string","enum":["low","medium","high"],"description":"Only for the council, auditors and admins, as `order=risk` and `order=deadline`."},
      kind: {"type":"string","enum":["sem_put","sensitive_consent","erasure"]},
      proposer: {"type":"string","minLength":1,"maxLength":256,"description":"The sub of the proposer."},
      key_prefix: {"type":"string","minLength":1,"maxLength":256,"description":"The target begins with this text."},
      text: {"type":"string","minLength":1,"maxLength":256,"description":"Occurs in the target or the justification, in upper or lower case."},
      voted: {"type":"string","enum":["true","false"],"description":"Whether the caller has voted on the current value."},
      would_be_refused: {"type":"string","enum":["true","false"],"description":"Whether an approval would be refused now; only pending requests. A page may then have fewer than `limit` requests, or none, and a next one. Only for the council, auditors and admins."},
      question: {"type":"string","enum":["waiting","answered","answered_caller"],"description":"The last question waits for its answer, the last question of a reviewer is answered, or that of the caller is."},
      assigned_to: {"type":"string","minLength":1,"maxLength":256,"description":"The sub of the reviewer who works on it. Only for the council, auditors and admins, and never a request by or for the caller."},
      snoozed: {"type":"string","enum":["true","false"],"description":"Whether the caller has put it off until a time that has not come."},
      order: {"type":"string","enum":["oldest","newest","deadline","risk"],"description":"`oldest` by default. `deadline`: what expires first, then the highest risk; `risk`: the highest risk first, then what expires first."},
      counts: {"type":"string","enum":["true"],"description":"Adds the numbers of requests by status, by risk and by the states of questions."},
      at: {"type":"string","pattern":"^(\\d{1,18}|\\d{4}-.+)$","description":"Reads what the log held at this time, or at this position. Not together with risk, voted, would_be_refused, question, assigned_to, snoozed, order, counts. See `GET /v1/positions`."},
      cursor: {"type":"string","minLength":1,"maxLength":256,"pattern":"^[A-Za-z0-9_-]+$","description":"The next_cursor of the previous page, which had the same order."},
      limit: {"type":"integer","minimum":1,"maximum":500},
    },
  },
  'GET /v1/action-requests/{id}/dossier': {
    required: ["id"],
    properties: {
      id: {"type":"string","minLength":1,"maxLength":128,"pattern":"^[A-Za-z0-9._:-]{1,128}$"},
    },
  },
  'POST /v1/action-requests/{id}/votes': {
    required: ["id","vote","reason","proposal_hash"],
    properties: {
      id: {"type":"string","minLength":1,"maxLength":128,"pattern":"^[A-Za-z0-9._:-]{1,128}$"},
      vote: {"type":"string","enum":["approve","reject","abstain"]},
      reason: {"type":"string","minLength":1,"maxLength":4000},
      reason_code: {"type":"string","enum":["untrue","unsupported","out_of_date","wrong_subject","unclear","personal","duplicate","manipulated","other"],"description":"Only with `reject`."},
      proposal_hash: {"type":"string","minLength":64,"maxLength":64,"pattern":"^[0-9a-f]{64}$","description":"The hash of the proposal that the reviewer saw."},
    },
  },
  'POST /v1/action-requests/{id}/revisions': {
    required: ["id","value","reason"],
    properties: {
      id: {"type":"string","minLength":1,"maxLength":128,"pattern":"^[A-Za-z0-9._:-]{1,128}$"},
      value: {"description":"Replaces the proposed value; at most 16 KB canonical."},
      reason: {"type":"string","minLength":1,"maxLength":4000},
    },
  },
  'POST /v1/action-requests/{id}/questions': {
    required: ["id","question"],
    properties: {
      id: {"type":"string","minLength":1,"maxLength":128,"pattern":"^[A-Za-z0-9._:-]{1,128}$"},
      question: {"type":"string","minLength":1,"maxLength":4000},
    },
  },
};
