// Made by `npm run generate:client` from openapi.json: do not edit.
import type { Json, JsonObject } from "./json.js";
export interface paths {
    readonly "/v1/consents": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description Reads what the log held at this time, or at this position. See `GET /v1/positions`. */
                    readonly at?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/retention": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description The last subject of the page before. */
                    readonly cursor?: string;
                    readonly limit?: number;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/jobs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    readonly status?: "running" | "ended";
                    readonly session_id?: string;
                    /** @description The exact `sub` of the owner. */
                    readonly owner?: string;
                    /** @description The user for whom the jobs ran. */
                    readonly user_id?: string;
                    /** @description The seeds begin with this. */
                    readonly seed_prefix?: string;
                    /** @description Leaves out the jobs of `mace sample`, whose seeds begin with `sample-`. */
                    readonly sample?: "false";
                    /** @description Reads what the log held at this time, or at this position. See `GET /v1/positions`. */
                    readonly at?: string;
                    readonly cursor?: string;
                    readonly limit?: number;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/jobs/{seed}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description The state after that event; default: the current state. */
                    readonly version?: number;
                    /** @description Reads what the log held at this time, or at this position. Not together with version. See `GET /v1/positions`. */
                    readonly at?: string;
                    /** @description Shows sealed personal data, to admins and the council only. Each such read is recorded in their audit stream. */
                    readonly unredacted?: "true";
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/sem": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description The beginning of the keys. To an agent’s token without a user, one that begins with `user/<entity_type>/<entity_id>` names the user. */
                    readonly prefix?: string;
                    /** @description The user that an agent’s token without a user acts for. Without one, it lists no user’s facts. */
                    readonly user_id?: string;
                    readonly cursor?: string;
                    readonly limit?: number;
                    /** @description Reads what the log held at this time, or at this position. See `GET /v1/positions`. */
                    readonly at?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description `sem:<hash>`, as pinned by a job. */
                    readonly snapshot_id?: string;
                    /** @description The number of an event of the fact’s stream. */
                    readonly version?: number;
                    /** @description Reads at that job’s snapshot and records the read in the job. */
                    readonly job_seed?: string;
                    /** @description Reads what the log held at this time, or at this position. Not together with snapshot_id, version, job_seed. See `GET /v1/positions`. */
                    readonly at?: string;
                    /** @description Shows sealed personal data, to admins and the council only. Each such read is recorded in their audit stream. */
                    readonly unredacted?: "true";
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}/history": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description The next_before of the previous page. */
                    readonly before?: number;
                    /** @description Reads what the log held at this time, or at this position. See `GET /v1/positions`. */
                    readonly at?: string;
                    /** @description The events in a page; default: 20. */
                    readonly limit?: number;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/sem-snapshots/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description The beginning of the keys. To an agent’s token without a user, one that begins with `user/<entity_type>/<entity_id>` names the user. */
                    readonly prefix?: string;
                    /** @description The user that an agent’s token without a user acts for. Without one, it lists no user’s facts. */
                    readonly user_id?: string;
                    readonly cursor?: string;
                    readonly limit?: number;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/streams/bundle": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query: {
                    /** @description The name of the stream, such as `request-<id>`, `session-<id>` or `sem-<key>`. */
                    readonly stream: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/threads/checkpoints": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query: {
                    /** @description The id that the caller chose. It is not personal data. */
                    readonly thread_id: string;
                    /** @description The namespace of a subgraph; default: the graph itself, "". */
                    readonly namespace?: string;
                    /** @description Default: the one whose id was put first after all others. */
                    readonly checkpoint_id?: string;
                    /** @description The thread after so many events; default: as it is now. */
                    readonly version?: number;
                    /** @description Reads what the log held at this time, or at this position. Not together with version. See `GET /v1/positions`. */
                    readonly at?: string;
                    /** @description For auditors, admins and the council: whose threads to read, `user:<id>` or `sub:<sub of an agent without a user>`. */
                    readonly owner?: string;
                    /** @description Shows sealed personal data, to admins and the council only. Each such read is recorded in their audit stream. */
                    readonly unredacted?: "true";
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/threads/bundle": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query: {
                    /** @description The id that the caller chose. It is not personal data. */
                    readonly thread_id: string;
                    /** @description The namespace of a subgraph; default: the graph itself, "". */
                    readonly namespace?: string;
                    /** @description For auditors, admins and the council: whose threads to read, `user:<id>` or `sub:<sub of an agent without a user>`. */
                    readonly owner?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/collisions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description `open` by default. */
                    readonly status?: "open" | "closed";
                    /** @description The next_cursor of the previous page. */
                    readonly cursor?: string;
                    readonly limit?: number;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/conversations/{id}/items": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description For auditors, admins and the council: whose conversation to read, `user:<id>` or `sub:<sub of an agent without a user>`. */
                    readonly owner?: string;
                    /** @description The last items, at most so many; default: 1000. A page of large items has fewer. */
                    readonly last?: number;
                    /** @description Only items before this index, to read page by page from the end. */
                    readonly before?: number;
                    /** @description The conversation after so many changes; default: as it is now. */
                    readonly version?: number;
                    /** @description Reads what the log held at this time, or at this position. Not together with version. See `GET /v1/positions`. */
                    readonly at?: string;
                    /** @description Shows sealed personal data, to admins and the council only. Each such read is recorded in their audit stream. */
                    readonly unredacted?: "true";
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/conversations/{id}/bundle": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description For auditors, admins and the council: whose conversation to read, `user:<id>` or `sub:<sub of an agent without a user>`. */
                    readonly owner?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/episodes/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description Shows sealed personal data, to admins and the council only. Each such read is recorded in their audit stream. */
                    readonly unredacted?: "true";
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/action-requests/figures": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description The first time; by default 30 days before `to`. */
                    readonly from?: string;
                    /** @description The time before which a request was closed; by default now. */
                    readonly to?: string;
                    /** @description The length of a bucket of `series`, in UTC; weeks begin on Monday. By default the one that suits the length of the period. */
                    readonly bucket?: "day" | "week" | "month";
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/action-requests": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    readonly status?: "pending" | "approved" | "executed" | "execution_refused" | "rejected" | "expired";
                    /** @description Only for the council, auditors and admins, as `order=risk` and `order=deadline`. */
                    readonly risk?: "low" | "medium" | "high";
                    readonly kind?: "sem_put" | "sensitive_consent" | "erasure";
                    /** @description The sub of the proposer. */
                    readonly proposer?: string;
                    /** @description The target begins with this text. */
                    readonly key_prefix?: string;
                    /** @description Occurs in the target or the justification, in upper or lower case. */
                    readonly text?: string;
                    /** @description Whether the caller has voted on the current value. */
                    readonly voted?: "true" | "false";
                    /** @description Whether an approval would be refused now; only pending requests. A page may then have fewer than `limit` requests, or none, and a next one. Only for the council, auditors and admins. */
                    readonly would_be_refused?: "true" | "false";
                    /** @description The last question waits for its answer, the last question of a reviewer is answered, or that of the caller is. */
                    readonly question?: "waiting" | "answered" | "answered_caller";
                    /** @description The sub of the reviewer who works on it. Only for the council, auditors and admins, and never a request by or for the caller. */
                    readonly assigned_to?: string;
                    /** @description Whether the caller has put it off until a time that has not come. */
                    readonly snoozed?: "true" | "false";
                    /** @description `oldest` by default. `deadline`: what expires first, then the highest risk; `risk`: the highest risk first, then what expires first. */
                    readonly order?: "oldest" | "newest" | "deadline" | "risk";
                    /** @description Adds the numbers of requests by status, by risk and by the states of questions. */
                    readonly counts?: "true";
                    /** @description Reads what the log held at this time, or at this position. Not together with risk, voted, would_be_refused, question, assigned_to, snoozed, order, counts. See `GET /v1/positions`. */
                    readonly at?: string;
                    /** @description The next_cursor of the previous page, which had the same order. */
                    readonly cursor?: string;
                    readonly limit?: number;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/action-requests/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description Reads what the log held at this time, or at this position. See `GET /v1/positions`. */
                    readonly at?: string;
                    /** @description Shows sealed personal data, to admins and the council only. Each such read is recorded in their audit stream. */
                    readonly unredacted?: "true";
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/jobs/{seed}/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    readonly from?: number;
                    readonly limit?: number;
                    readonly format?: "json" | "plain";
                    /** @description Leaves out this many events from `from` on. */
                    readonly skip?: number;
                    /** @description Only events of these types, separated by commas. */
                    readonly types?: string;
                    readonly kind?: "input" | "outcome";
                    /** @description Only events of this tick or a later one. */
                    readonly from_tick?: number;
                    /** @description Only events of this tick or an earlier one. */
                    readonly to_tick?: number;
                    /** @description Only events whose type, data or metadata contain this text. Upper and lower case are the same. */
                    readonly text?: string;
                    /** @description As `text`, for each of these words. What stands between double quotes counts as one word. */
                    readonly words?: string;
                    /** @description Only events of this actor, or of those whose name begins so. */
                    readonly actor_name?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/jobs/{seed}/knew": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description After that event; default: the job’s last one. */
                    readonly version?: number;
                    /** @description Reads what the log held at this time, or at this position. Not together with version. See `GET /v1/positions`. */
                    readonly at?: string;
                    /** @description The `next_cursor` of the page before. */
                    readonly cursor?: string;
                    readonly limit?: number;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description Only events after this position; `end`: only events after the request. The default is the whole log. `Last-Event-ID` replaces it. */
                    readonly after?: string;
                    /** @description The stream ends after this position; `end`: after the log’s last event at the time of the request. By default, it stays open. */
                    readonly until?: string;
                    /** @description Only events of these categories, separated by commas: job, session, sem, memory, request, reflective, quarantine, note, remembered, owner, command, consent, conversation, audit, router, thread, log, checkpoint. */
                    readonly categories?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/reflective-logs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    readonly cursor?: string;
                    readonly limit?: number;
                    readonly job_seed?: string;
                    readonly query_id?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/reflective-logs/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description Includes the complete texts of outputs that are stored as artifacts. */
                    readonly artifacts?: boolean;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/quarantine": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    readonly cursor?: string;
                    readonly limit?: number;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/integrity/checkpoints": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description The `next_cursor` of the page before. */
                    readonly cursor?: string;
                    readonly limit?: number;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/memories": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description The person, for an agent’s token without a user; default: the token’s user, or else the agent itself. Auditors, admins and the council read others’ memories, redacted. */
                    readonly user_id?: string;
                    /** @description Only memories with this tag. */
                    readonly tag?: string;
                    /** @description Reads what the log held at this time, or at this position. See `GET /v1/positions`. */
                    readonly at?: string;
                    /** @description The memories in a page; default: 100. */
                    readonly limit?: number;
                    /** @description The next_cursor of the previous page. */
                    readonly cursor?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/memories/bundle": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description The person, for an agent’s token without a user; default: the token’s user, or else the agent itself. Auditors, admins and the council read others’ memories, redacted. */
                    readonly user_id?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/memories/{memory_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description The person, for an agent’s token without a user; default: the token’s user, or else the agent itself. Auditors, admins and the council read others’ memories, redacted. */
                    readonly user_id?: string;
                    /** @description An earlier wording; default: the current one. */
                    readonly version?: number;
                    /** @description Reads what the log held at this time, or at this position. Not together with version. See `GET /v1/positions`. */
                    readonly at?: string;
                    /** @description Shows sealed personal data, to admins and the council only. Each such read is recorded in their audit stream. */
                    readonly unredacted?: "true";
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/memory": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description Default: all spaces. */
                    readonly space?: "session" | "user" | "project" | "system";
                    /** @description The beginning of the owner’s name; only together with a space. */
                    readonly prefix?: string;
                    /** @description The user that an agent’s token without a user acts for; it may also be the prefix. Without one, no user’s store is listed. */
                    readonly user_id?: string;
                    /** @description Reads what the log held at this time, or at this position. See `GET /v1/positions`. */
                    readonly at?: string;
                    /** @description The next_cursor of the page before. */
                    readonly cursor?: string;
                    /** @description The stores in a page; default: 50. */
                    readonly limit?: number;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/memory/sessions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query: {
                    readonly user_id: string;
                    /** @description Reads what the log held at this time, or at this position. See `GET /v1/positions`. */
                    readonly at?: string;
                    /** @description The next_cursor of the page before. */
                    readonly cursor?: string;
                    /** @description The sessions in a page; default: 50. */
                    readonly limit?: number;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/memory/{space}/{owner}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    readonly tick?: number;
                    /** @description Reads what the log held at this time, or at this position. Not together with tick. See `GET /v1/positions`. */
                    readonly at?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/memory/{space}/{owner}/phases": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description Reads what the log held at this time, or at this position. See `GET /v1/positions`. */
                    readonly at?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/memory/{space}/{owner}/phases/diff": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query: {
                    readonly from: string;
                    readonly to: string;
                    /** @description Reads what the log held at this time, or at this position. See `GET /v1/positions`. */
                    readonly at?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/memory/{space}/{owner}/turns": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description Only turns before this event, to read page by page from the end. */
                    readonly before?: number;
                    /** @description The turn that has this event, and those that follow. Not together with before. */
                    readonly from?: number;
                    /** @description The turns in a page; default: 25. */
                    readonly limit?: number;
                    /** @description Reads what the log held at this time, or at this position. See `GET /v1/positions`. */
                    readonly at?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/memory/{space}/{owner}/traces": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description The number of the first event. */
                    readonly from?: number;
                    readonly limit?: number;
                    readonly format?: "json" | "plain";
                    /** @description Reads what the log held at this time, or at this position. See `GET /v1/positions`. */
                    readonly at?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/positions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query: {
                    /** @description A time that has passed, or the position of an event. */
                    readonly at: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/positions/bundle": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description A time that has passed, or the position of an event. Default: the end of the log. */
                    readonly at?: string;
                    /** @description The job and the facts that it had read. */
                    readonly job_seed?: string;
                    /** @description The facts and the memories of this person. */
                    readonly user_id?: string;
                    /** @description The facts whose keys begin with this. Default: all, unless a job or a user is named. */
                    readonly prefix?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/notes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description `user:<id>`, or `sub:<sub of an agent without a user>`; default: the caller. Only auditors, admins and the council read others’ notes, in which personal data is redacted. */
                    readonly owner?: string;
                    /** @description The components in order. */
                    readonly namespace?: readonly string[];
                    readonly key?: string;
                    /** @description The note’s stream, in place of namespace and key. */
                    readonly stream?: string;
                    /** @description The note as it was at this version; default: the current one. */
                    readonly version?: number;
                    /** @description Reads what the log held at this time, or at this position. Not together with version. See `GET /v1/positions`. */
                    readonly at?: string;
                    /** @description Shows sealed personal data, to admins and the council only. Each such read is recorded in their audit stream. */
                    readonly unredacted?: "true";
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/notes/bundle": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description `user:<id>`, or `sub:<sub of an agent without a user>`; default: the caller. Only auditors, admins and the council read others’ notes, in which personal data is redacted. */
                    readonly owner?: string;
                    /** @description The components in order. */
                    readonly namespace?: readonly string[];
                    readonly key?: string;
                    /** @description The note’s stream, in place of namespace and key. */
                    readonly stream?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/oversight/accesses": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description The `next_cursor` of the page before. */
                    readonly cursor?: string;
                    readonly limit?: number;
                    /** @description The caller who read. */
                    readonly sub?: string;
                    /** @description The stream that was read. */
                    readonly stream?: string;
                    /** @description The person whose data was read: facts, memories, store, and the newest 1,000 jobs and requests. */
                    readonly user_id?: string;
                    /** @description Reads what the log held at this time, or at this position. See `GET /v1/positions`. */
                    readonly at?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/oversight/refusals": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description The `next_cursor` of the page before. */
                    readonly cursor?: string;
                    readonly limit?: number;
                    /** @description The caller who was refused. */
                    readonly sub?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/oversight/consents": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description The `next_cursor` of the page before. */
                    readonly cursor?: string;
                    readonly limit?: number;
                    readonly user_id?: string;
                    readonly status?: "given" | "revoked";
                    /** @description Reads what the log held at this time, or at this position. See `GET /v1/positions`. */
                    readonly at?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/why": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query: {
                    readonly kind: "fact" | "episode" | "memory_item" | "note";
                    /** @description The key of a fact, an episodic_id, the id of an item, or the stream of a note. */
                    readonly id: string;
                    /** @description Reads what the log held at this time, or at this position. See `GET /v1/positions`. */
                    readonly at?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/why/reads": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query: {
                    readonly kind: "fact" | "episode" | "memory_item" | "note";
                    /** @description The key of a fact, an episodic_id, the id of an item, or the stream of a note. */
                    readonly id: string;
                    /** @description Reads what the log held at this time, or at this position. See `GET /v1/positions`. */
                    readonly at?: string;
                    /** @description The `next_cursor` of the page before. */
                    readonly cursor?: string;
                    /** @description Default 50. */
                    readonly limit?: number;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/why/accesses": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query: {
                    readonly kind: "fact" | "episode" | "memory_item" | "note";
                    /** @description The key of a fact, an episodic_id, the id of an item, or the stream of a note. */
                    readonly id: string;
                    /** @description Reads what the log held at this time, or at this position. See `GET /v1/positions`. */
                    readonly at?: string;
                    /** @description The `next_cursor` of the page before. */
                    readonly cursor?: string;
                    /** @description Default 50. */
                    readonly limit?: number;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/reviews": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description The next_cursor of the previous page. */
                    readonly cursor?: string;
                    readonly limit?: number;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/admin/queue": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description The next_cursor of the previous page. */
                    readonly cursor?: string;
                    readonly limit?: number;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly CheckDto: {
            /** @description What is checked, such as `postgres` or `projection_sem`. */
            readonly name: string;
            /** @enum {string} */
            readonly status: "up" | "down";
            readonly reason: string | null;
        };
        readonly StorageDto: {
            /**
             * Format: date-time
             * @description Since when the log has no room; null if it has room.
             */
            readonly full_since: string | null;
            /** @description Null for an event store that is elsewhere. */
            readonly used_bytes: number | null;
            /** @description The bytes until the quota or the disk is full, whichever comes first. */
            readonly free_bytes: number | null;
            /** @description What makes room. */
            readonly needs: string;
        };
        readonly StatusDto: {
            /** @description True if no check failed. */
            readonly ready: boolean;
            readonly checks: readonly components["schemas"]["CheckDto"][];
            readonly storage: components["schemas"]["StorageDto"];
        };
        readonly ConsentDto: {
            readonly consent_id: string;
            readonly user_id: string;
            /** @description The words to which the user agreed, without personal data. */
            readonly text: string;
            /** @enum {string} */
            readonly scope: "job" | "persistent";
            readonly job_seed: string | null;
            /** Format: date-time */
            readonly given_at: string;
            /** Format: date-time */
            readonly revoked_at: string | null;
            /** @description True once the council agreed that data of category high may be kept as well. */
            readonly sensitive_data_approved: boolean;
        };
        readonly ConsentsDto: {
            /** @description In the order in which they were given. */
            readonly consents: readonly components["schemas"]["ConsentDto"][];
        };
        readonly ErasureManifestDto: {
            /** @description The number of events with such values. */
            readonly events: number;
            readonly streams: number;
            /** Format: date-time */
            readonly first_recorded_at: string | null;
            /** Format: date-time */
            readonly last_recorded_at: string | null;
            /** @description sha256 over the canonical JSON of [stream, number, event hash] of each event and a line feed, in log order. */
            readonly hash: string;
        };
        readonly ErasureEventDto: {
            readonly stream: string;
            readonly number: number;
            readonly position: string;
            readonly hash: string;
        };
        readonly ErasureReceiptDto: {
            /** @enum {string} */
            readonly kind: "mace_erasure_receipt";
            readonly request_id: string;
            /** @description `user:<id>`, `sub:<id>`, `job:<seed>`, `request:<id>` or `fact:<key>`. */
            readonly subject: string;
            /** @enum {string} */
            readonly reason_code: "legal_erasure" | "retention" | "other";
            /** @description The ids of the destroyed keys. */
            readonly destroyed_keys: readonly string[];
            readonly manifest: components["schemas"]["ErasureManifestDto"];
            /** Format: date-time */
            readonly erased_at: string;
            /** @description The deletion_event in the log. */
            readonly event: components["schemas"]["ErasureEventDto"];
            /** @description The thumbprint of the key that signed the receipt. */
            readonly key_id: string;
            /** @description The public key, as the field `x` of its JWK. */
            readonly public_key: string;
            /** @description An Ed25519 signature over the canonical JSON of the other fields, as hex digits. */
            readonly signature: string;
        };
        readonly RetainedSubjectDto: {
            /** @description `user:<id>`, `sub:<id>`, `job:<seed>`, `request:<id>` or `fact:<key>`. */
            readonly subject: string;
            /** @description The number of events with sealed values of the subject. */
            readonly events: number;
            /** Format: date-time */
            readonly first_recorded_at: string;
            /** Format: date-time */
            readonly last_recorded_at: string;
            /**
             * Format: date-time
             * @description The end of the retention period of the last event.
             */
            readonly due_at: string;
            /** @description True if the retention period is over. */
            readonly is_due: boolean;
            /** @description True if all keys of the subject are destroyed. */
            readonly erased: boolean;
        };
        readonly RetentionReportDto: {
            /** @description Days, as set by MACE_RETENTION_DAYS. */
            readonly retention_days: number;
            /** @description In byte order of the subject. */
            readonly subjects: readonly components["schemas"]["RetainedSubjectDto"][];
            readonly next_cursor: string | null;
        };
        readonly WmEntryDto: {
            readonly wm_id: string;
            /** @enum {string} */
            readonly type: "fact" | "context" | "hint" | "temp";
            readonly value: components["schemas"]["Json"];
            readonly created_at_tick: number;
            /** @description Ticks left before the expiry. */
            readonly ttl_ticks: number;
            readonly references: number;
            /** @description The CWM item that returned as this entry. */
            readonly returned_from?: string;
        };
        readonly CwmItemDto: {
            readonly cwm_id_item: string;
            /** @enum {string} */
            readonly type: "fact" | "context" | "hint" | "temp";
            readonly value: components["schemas"]["Json"];
            /** @enum {boolean} */
            readonly promoted_from_wm: true;
            /** @description Ticks left before the expiry. */
            readonly ttl_ticks: number;
            readonly references: number;
        };
        readonly CwmDto: {
            readonly cwm_id: string;
            readonly topic: string;
            /** @description In order of insertion. */
            readonly items: readonly components["schemas"]["CwmItemDto"][];
            readonly token_estimate: number;
        };
        readonly JobSnapshotsDto: {
            readonly sem_snapshot_id: string;
            readonly sem_snapshot_hash: string;
            readonly sem_event_count: number;
            readonly episodic_snapshot_id: string;
            readonly episodic_count: number;
            readonly brainstate_snapshot_id: string;
        };
        readonly JobDto: {
            readonly job_seed: string;
            /** @enum {string} */
            readonly status: "running" | "ended";
            readonly tick: number;
            /** @description The number of the job’s last event, from 0. */
            readonly version: number;
            /** @description Working memory, newest first. */
            readonly wm: readonly components["schemas"]["WmEntryDto"][];
            /** @description The consolidated working memory. */
            readonly cwm: components["schemas"]["CwmDto"];
            /** @description The snapshots that the job reads, pinned at its start. */
            readonly snapshots: components["schemas"]["JobSnapshotsDto"];
        };
        readonly BatchDoneDto: {
            /** @description The number of the job’s last event after the command. */
            readonly version: number;
            /** @description One answer for each command, in order. */
            readonly results: readonly components["schemas"]["Json"][];
        };
        readonly WmDoneDto: {
            /** @description The number of the job’s last event after the command. */
            readonly version: number;
            readonly wm_id: string;
        };
        readonly FoundWmDto: {
            /** @description The number of the job’s last event after the command. */
            readonly version: number;
            /** @description Newest first. */
            readonly entries: readonly components["schemas"]["WmEntryDto"][];
        };
        readonly FoundCwmDto: {
            /** @description The number of the job’s last event after the command. */
            readonly version: number;
            /** @description In order of insertion. */
            readonly entries: readonly components["schemas"]["CwmItemDto"][];
        };
        readonly CwmDoneDto: {
            /** @description The number of the job’s last event after the command. */
            readonly version: number;
            readonly item_id: string;
        };
        readonly TickedDto: {
            /** @description The number of the job’s last event after the command. */
            readonly version: number;
            readonly tick: number;
        };
        readonly GoalSetDto: {
            /** @description The number of the job’s last event after the command. */
            readonly version: number;
            readonly goal: string;
        };
        readonly EpisodeWrittenDto: {
            /** @description The number of the job’s last event after the command. */
            readonly version: number;
            readonly episodic_id: string;
        };
        readonly KeptEpisodeDto: {
            readonly episodic_id: string;
            /** @description The first 80 characters of the episode’s summary. */
            readonly summary: string;
        };
        readonly KeptEpisodesDto: {
            /** @description The number of all. */
            readonly count: number;
            /** @description The last 20, oldest first. */
            readonly items: readonly components["schemas"]["KeptEpisodeDto"][];
        };
        readonly EntryExcerptDto: {
            /** @description A wm_id, or the id of a CWM item. */
            readonly id: string;
            /** @enum {string} */
            readonly type: "fact" | "context" | "hint" | "temp";
            /** @description The first 80 characters of the value; `(personal data)` if it is sealed. */
            readonly content: string;
        };
        readonly EntryExcerptsDto: {
            /** @description The number of all. */
            readonly count: number;
            /** @description The last 20, oldest first. */
            readonly items: readonly components["schemas"]["EntryExcerptDto"][];
        };
        readonly JobEndedDto: {
            /** @description The number of the job’s last event after the command. */
            readonly version: number;
            /** @enum {string} */
            readonly status: "ended";
            readonly reflective_log_id: string;
            /** @description The episodes that the end made: one for each used fact, then the summary. */
            readonly kept: components["schemas"]["KeptEpisodesDto"];
            /** @description The CWM with which the session’s next job begins; none without a session. */
            readonly carried: components["schemas"]["EntryExcerptsDto"];
            /** @description The entries that are gone: they expired, left the CWM over its budget, or were in WM at the end without becoming an episode. What the agent itself removed is not among them. */
            readonly expired: components["schemas"]["EntryExcerptsDto"];
        };
        readonly ListedFactDto: {
            /** @enum {boolean} */
            readonly exists: true;
            readonly value: components["schemas"]["Json"];
            /** @description `user`, `system` or `agent:<id>`. */
            readonly source: string;
            /** Format: date-time */
            readonly last_updated: string;
            readonly notes: string | null;
            readonly meta: {
                readonly [key: string]: components["schemas"]["Json"];
            } | null;
            /** @description The number of the fact’s event in its stream. */
            readonly version: number;
            readonly key: string;
        };
        readonly FactsPageDto: {
            /** @description In byte order of their keys. */
            readonly facts: readonly components["schemas"]["ListedFactDto"][];
            readonly next_cursor: string | null;
        };
        readonly ApprovingVoteDto: {
            readonly sub: string;
            /** Format: date-time */
            readonly at: string;
        };
        readonly ApprovedByDto: {
            readonly request_id: string;
            /** Format: date-time */
            readonly decided_at: string;
            /** @description The number of votes for it. */
            readonly approvals: number;
            /** @description Who cast these votes; only for the council, auditors and admins. */
            readonly voters?: readonly components["schemas"]["ApprovingVoteDto"][];
        };
        readonly FactDto: {
            /** @enum {boolean} */
            readonly exists: true;
            readonly value: components["schemas"]["Json"];
            /** @description `user`, `system` or `agent:<id>`. */
            readonly source: string;
            /** Format: date-time */
            readonly last_updated: string;
            readonly notes: string | null;
            readonly meta: {
                readonly [key: string]: components["schemas"]["Json"];
            } | null;
            /** @description The number of the fact’s event in its stream. */
            readonly version: number;
            /** @description Missing if nobody approved it, and while the log cannot be read. */
            readonly approved_by?: components["schemas"]["ApprovedByDto"];
        };
        readonly EventSourceDto: {
            readonly stream: string;
            /** @description The number of the event in its stream. */
            readonly number: number;
            /** @description The position of the event in the log. */
            readonly position: string;
            /** @description The hash of the event in the hash chain of its stream. */
            readonly hash: string;
        };
        readonly FactRequestDto: {
            readonly request_id: string;
            /** @description The episode that the request names as its ground. Null if the caller may not read the request. */
            readonly episodic_id: string | null;
            /** @description Null if the caller may not read the request. */
            readonly justification: string | null;
        };
        readonly FactEventDto: {
            /** @enum {string} */
            readonly type: "fact_put" | "fact_deleted" | "key_claimed" | "collision_event" | "collision_closed";
            /** @description The number of the event in its stream. */
            readonly version: number;
            /** @description The subject of the token that made the write. */
            readonly actor: string;
            /**
             * Format: date-time
             * @description When the log took the event.
             */
            readonly recorded_at: string;
            readonly event: components["schemas"]["EventSourceDto"];
            /** @description Only of a put. */
            readonly value?: components["schemas"]["Json"];
            /**
             * Format: date-time
             * @description The time of the write, which decides which write wins.
             */
            readonly timestamp?: string;
            /** @description `user`, `system` or `agent:<id>`. */
            readonly source?: string;
            readonly notes?: string | null;
            readonly meta?: {
                readonly [key: string]: components["schemas"]["Json"];
            } | null;
            /** @description Whether the fact already had a later write, so that this one changed only the history. */
            readonly superseded?: boolean;
            /** @description Only of a put. */
            readonly request?: components["schemas"]["FactRequestDto"] | null;
            /** @description Only of a put; null if nobody approved it. */
            readonly approved_by?: components["schemas"]["ApprovedByDto"] | null;
            /** @description A title that claimed a key, or met the claim of another title. */
            readonly title?: string;
            /** @description The reason with which a collision was closed. */
            readonly reason?: string;
        };
        readonly FactHistoryDto: {
            readonly key: string;
            /** @description Newest first. */
            readonly events: readonly components["schemas"]["FactEventDto"][];
            readonly next_before: number | null;
        };
        readonly FactWrittenDto: {
            readonly key: string;
            /** Format: date-time */
            readonly timestamp: string;
            readonly source: string;
            /** @description The number of the event in the fact’s stream. */
            readonly version: number;
            /** @description Whether the fact already has a later timestamp; if so, the write changes only the history. */
            readonly superseded: boolean;
        };
        readonly KeyDto: {
            readonly key: string;
            /** @description Whether the title owns the key. */
            readonly claimed: boolean;
        };
        readonly ResolvedAliasDto: {
            readonly key: string | null;
        };
        readonly SemSnapshotDto: {
            /** @description In byte order of their keys. */
            readonly facts: readonly components["schemas"]["ListedFactDto"][];
            readonly next_cursor: string | null;
            readonly sem_snapshot_id: string;
            readonly sem_snapshot_hash: string;
            /** @description The number of SEM events that the snapshot covers, in log order. */
            readonly sem_event_count: number;
            readonly first_job_seed: string;
        };
        readonly DivergenceDto: {
            readonly number: number;
            readonly expected: components["schemas"]["Json"];
            readonly actual: components["schemas"]["Json"];
        };
        readonly ReplayReportDto: {
            /** @enum {string} */
            readonly mode: "audit" | "strict";
            readonly stream: string;
            readonly events_checked: number;
            /** @description The hash of the stream’s last event. */
            readonly head_hash: string;
            /** @description Equal for all runs with the same seed and the same commands. */
            readonly content_hash: string;
            /** @description The hash of the job’s final state; null if the replay did not reach it. */
            readonly state_hash: string | null;
            /** @description The number of outcomes that an interrupted end still owes; 0 otherwise. */
            readonly owed: number;
            readonly identical: boolean;
            /**
             * @description Present if the replay is not identical.
             * @enum {string}
             */
            readonly code?: "REPLAY_DIVERGENCE" | "INTEGRITY_FAILURE";
            /** @description The first event that the rules do not reproduce, or whose hash is wrong. */
            readonly divergence?: components["schemas"]["DivergenceDto"];
        };
        readonly ThreadChangedDto: {
            /** @description The number of events of the thread in this namespace. */
            readonly version: number;
        };
        readonly PendingWriteDto: {
            readonly task_id: string;
            readonly task_path: string;
            readonly index: number;
            readonly channel: string;
            readonly value: components["schemas"]["Json"];
        };
        readonly EventPlaceDto: {
            readonly stream: string;
            /** @description The number of the event in its stream, from 0. */
            readonly number: number;
        };
        readonly CheckpointDto: {
            readonly thread_id: string;
            readonly namespace: string;
            readonly checkpoint_id: string;
            readonly parent_checkpoint_id: string | null;
            /** @description As it was put; redacted or erased as a whole. */
            readonly checkpoint: components["schemas"]["Json"];
            /** @description As it was put; redacted or erased as a whole. */
            readonly metadata: components["schemas"]["Json"];
            readonly channel_versions: components["schemas"]["JsonObject"];
            /** @description By channel. A channel without a value is left out. */
            readonly channel_values: components["schemas"]["JsonObject"];
            /** @description In the order in which they were put. */
            readonly pending_writes: readonly components["schemas"]["PendingWriteDto"][];
            /**
             * Format: date-time
             * @description When the service received the checkpoint.
             */
            readonly at: string;
            /** @description The event that recorded the checkpoint. */
            readonly source: components["schemas"]["EventPlaceDto"];
        };
        readonly CheckpointsPageDto: {
            /** @description By the first put of their ids, the newest first. */
            readonly checkpoints: readonly components["schemas"]["CheckpointDto"][];
            readonly next_cursor: string | null;
        };
        readonly ThreadDeletedDto: {
            /** @description The number of namespaces in which the thread was hidden. */
            readonly namespaces: number;
        };
        readonly PersonDto: {
            readonly sub: string;
            readonly user_id: string | null;
        };
        /** @description How a reviewer closed a collision. */
        readonly CollisionClosureDto: {
            readonly reason: string;
            readonly closed_by: components["schemas"]["PersonDto"];
            /** Format: date-time */
            readonly closed_at: string;
        };
        /** @description Two titles that generate the same key. */
        readonly CollisionDto: {
            readonly collision_id: string;
            /** @description The key that both titles generate. */
            readonly key: string;
            /** @description The first title, which owns that key. */
            readonly owner_title: string;
            /** @description The second title. */
            readonly title: string;
            /** @description The key that the second title got. */
            readonly given_key: string;
            /** Format: date-time */
            readonly found_at: string;
            readonly closure: components["schemas"]["CollisionClosureDto"] | null;
        };
        readonly CollisionsPageDto: {
            /** @description Oldest first. */
            readonly collisions: readonly components["schemas"]["CollisionDto"][];
            readonly next_cursor: string | null;
        };
        readonly ItemsChangedDto: {
            /** @description The number of items. */
            readonly count: number;
            /** @description The number of changes so far; 0 before the first. */
            readonly version: number;
            /** @description The index of the first new item. */
            readonly index: number;
        };
        readonly ConversationItemDto: {
            /** @description The place in the conversation, from 0. */
            readonly index: number;
            readonly item: components["schemas"]["Json"];
            /**
             * Format: date-time
             * @description When the service received the item.
             */
            readonly at: string;
        };
        readonly ConversationItemsDto: {
            /** @description The number of items. */
            readonly count: number;
            /** @description The number of changes so far; 0 before the first. */
            readonly version: number;
            /** @description How often the conversation was cleared so far. */
            readonly clears: number;
            /** @description Oldest first. */
            readonly items: readonly components["schemas"]["ConversationItemDto"][];
        };
        readonly PoppedItemDto: {
            /** @description The number of items. */
            readonly count: number;
            /** @description The number of changes so far; 0 before the first. */
            readonly version: number;
            /** @description The item that was the last one; null if there was none. */
            readonly item: components["schemas"]["Json"];
        };
        readonly ConversationChangedDto: {
            /** @description The number of items. */
            readonly count: number;
            /** @description The number of changes so far; 0 before the first. */
            readonly version: number;
        };
        readonly FoundEpisodeDto: {
            readonly episodic_id: string;
            /** @description Matching tokens divided by all tokens of the summary, in (0, 1]. */
            readonly score: number;
            /** @description Redacted unless the caller may see the full text. */
            readonly summary: string;
            /**
             * Format: date-time
             * @description Logical, and not a date, if the start of the job gave no time.
             */
            readonly created_seeded_ts: string;
            readonly evidence: readonly components["schemas"]["JsonObject"][];
        };
        readonly FoundEpisodesDto: {
            /** @description Best first. */
            readonly results: readonly components["schemas"]["FoundEpisodeDto"][];
        };
        readonly EpisodeViewDto: {
            readonly episodic_id: string;
            readonly job_seed: string;
            /** @enum {string} */
            readonly source: "agent" | "executor" | "brainstate";
            readonly summary: string;
            readonly evidence: readonly components["schemas"]["JsonObject"][];
            /** @description Absent if the caller must not see it; a mark with `withheld` if its consent was revoked beside the write. */
            readonly payload?: components["schemas"]["Json"];
            /**
             * Format: date-time
             * @description Logical, and not a date, if the start of the job gave no time.
             */
            readonly created_seeded_ts: string;
            readonly provenance: components["schemas"]["JsonObject"];
        };
        /** @description Shares are between 0 and 1; null if there is nothing to divide by. */
        readonly CouncilFiguresDto: {
            /** @description The requests that votes decided. */
            readonly decided: number;
            readonly approved: number;
            readonly rejected: number;
            readonly expired: number;
            /** @description From the request to its decision, in seconds. */
            readonly median_seconds_to_decide: number | null;
            /** @description The rejected ones among the decided requests. */
            readonly rejection_share: number | null;
            /** @description The decided requests whose value a reviewer replaced. */
            readonly revision_share: number | null;
            /** @description The decided requests whose final value some approved and others rejected. */
            readonly disagreement_share: number | null;
            /** @description The votes against the outcome among the votes on the final value, without abstentions. */
            readonly override_share: number | null;
            /** @description The expired ones among the closed requests. */
            readonly expiry_share: number | null;
        };
        readonly FiguresByKindDto: {
            readonly sem_put: components["schemas"]["CouncilFiguresDto"];
            readonly sensitive_consent: components["schemas"]["CouncilFiguresDto"];
            readonly erasure: components["schemas"]["CouncilFiguresDto"];
        };
        readonly FiguresInBucketDto: {
            /** @description The requests that votes decided. */
            readonly decided: number;
            readonly approved: number;
            readonly rejected: number;
            readonly expired: number;
            /** @description From the request to its decision, in seconds. */
            readonly median_seconds_to_decide: number | null;
            /** @description The rejected ones among the decided requests. */
            readonly rejection_share: number | null;
            /** @description The decided requests whose value a reviewer replaced. */
            readonly revision_share: number | null;
            /** @description The decided requests whose final value some approved and others rejected. */
            readonly disagreement_share: number | null;
            /** @description The votes against the outcome among the votes on the final value, without abstentions. */
            readonly override_share: number | null;
            /** @description The expired ones among the closed requests. */
            readonly expiry_share: number | null;
            /** Format: date-time */
            readonly from: string;
            /** Format: date-time */
            readonly to: string;
        };
        readonly FiguresDto: {
            /** @description The requests that votes decided. */
            readonly decided: number;
            readonly approved: number;
            readonly rejected: number;
            readonly expired: number;
            /** @description From the request to its decision, in seconds. */
            readonly median_seconds_to_decide: number | null;
            /** @description The rejected ones among the decided requests. */
            readonly rejection_share: number | null;
            /** @description The decided requests whose value a reviewer replaced. */
            readonly revision_share: number | null;
            /** @description The decided requests whose final value some approved and others rejected. */
            readonly disagreement_share: number | null;
            /** @description The votes against the outcome among the votes on the final value, without abstentions. */
            readonly override_share: number | null;
            /** @description The expired ones among the closed requests. */
            readonly expiry_share: number | null;
            /** Format: date-time */
            readonly from: string;
            /** Format: date-time */
            readonly to: string;
            readonly by_kind: components["schemas"]["FiguresByKindDto"];
            /** @enum {string} */
            readonly bucket: "day" | "week" | "month";
            /** @description The figures of each bucket, at most 1,000. The first and the last one end with the period. */
            readonly series: readonly components["schemas"]["FiguresInBucketDto"][];
        };
        /** @description What has changed while a request waits, or what would refuse it now. */
        readonly RecheckDto: {
            /** @enum {string} */
            readonly code: "overdue" | "fact_appeared" | "fact_changed" | "fact_deleted" | "already_true" | "would_be_superseded" | "episode_missing" | "episode_erased" | "evidence_missing" | "evidence_erased" | "value_erased" | "consent_missing" | "consent_revoked" | "personal_data_found";
            readonly text: string;
            /** @description The entries of the evidence that it is about, from 0. */
            readonly evidence?: readonly number[];
        };
        /** @description What a request has come to while it waits. */
        readonly RecheckedRequestDto: {
            readonly request_id: string;
            /** @description Whether its approval would be refused now, or would change nothing. */
            readonly would_be_refused: boolean;
            /** @description What has changed since the proposal, and what would refuse the approval now; null for a request that does not exist or does not wait. */
            readonly recheck: readonly components["schemas"]["RecheckDto"][] | null;
        };
        readonly RechecksDto: {
            /** @description In the order of the ids. */
            readonly results: readonly components["schemas"]["RecheckedRequestDto"][];
        };
        /** @description Where an event stands in the log, and its hash in the chain of its stream. */
        readonly SourceEventDto: {
            readonly stream: string;
            /** @description The number of the event in its stream. */
            readonly number: number;
            /** @description The position of the event in the log. */
            readonly position: string;
            /** @description The hash of the event in the hash chain of its stream. */
            readonly hash: string;
            /**
             * Format: date-time
             * @description The wall-clock time of the append.
             */
            readonly recorded_at: string;
        };
        /** @description How careful the review of a request has to be, and why. */
        readonly RiskDto: {
            /** @enum {string} */
            readonly level: "low" | "medium" | "high";
            /** @description The weightiest first. The level follows from the sum of their points. */
            readonly reasons: readonly ("hidden_characters" | "mixed_scripts" | "addresses_reader" | "governance" | "personal_data" | "large_change" | "contradiction" | "rival_request" | "rejected_before" | "no_evidence" | "not_in_evidence" | "old_source" | "first_time_proposer" | "unusual_target" | "in_evidence" | "tool_evidence")[];
        };
        readonly VoteCastDto: {
            readonly voter: components["schemas"]["PersonDto"];
            /** @enum {string} */
            readonly vote: "approve" | "reject" | "abstain";
            readonly reason: string;
            /** @enum {string|null} */
            readonly reason_code: "untrue" | "unsupported" | "out_of_date" | "wrong_subject" | "unclear" | "personal" | "duplicate" | "manipulated" | "other" | null;
            /** @description The risk at the time of the vote; null if the vote recorded none, and for agents and users. */
            readonly risk: components["schemas"]["RiskDto"] | null;
            /** Format: date-time */
            readonly at: string;
            /** @description The event of the vote; null if the log cannot be read now. */
            readonly source_event: components["schemas"]["SourceEventDto"] | null;
        };
        /** @description The revision that a value comes from. */
        readonly RevisedDto: {
            /** @description Counted from 1. */
            readonly revision: number;
            /** @description The reviewer, who may not vote on this revision. */
            readonly editor: components["schemas"]["PersonDto"];
            readonly reason: string;
            /** Format: date-time */
            readonly at: string;
            /** @description The event of the revision; null if the log cannot be read now. */
            readonly source_event: components["schemas"]["SourceEventDto"] | null;
        };
        /** @description A value that a revision replaced, with the votes on it. */
        readonly EarlierVersionDto: {
            readonly proposal_hash: string;
            readonly value: components["schemas"]["Json"];
            readonly votes: readonly components["schemas"]["VoteCastDto"][];
            /** @description null for the value of the proposer. */
            readonly revised: components["schemas"]["RevisedDto"] | null;
        };
        /** @description A question to the proposer, or the proposer’s answer. */
        readonly RemarkDto: {
            /** @enum {string} */
            readonly kind: "question" | "answer";
            readonly by: components["schemas"]["PersonDto"];
            readonly text: string;
            /** Format: date-time */
            readonly at: string;
            /** @description The event of the question or the answer; null if the log cannot be read now. */
            readonly source_event: components["schemas"]["SourceEventDto"] | null;
        };
        /** @description A comment of a reviewer for the other reviewers. */
        readonly CommentDto: {
            readonly by: components["schemas"]["PersonDto"];
            readonly text: string;
            /** Format: date-time */
            readonly at: string;
            /** @description The event of the comment; null if the log cannot be read now. */
            readonly source_event: components["schemas"]["SourceEventDto"] | null;
        };
        readonly ExecutionDto: {
            readonly sem_stream: string;
            readonly sem_event_number: number;
        };
        readonly ActionRequestViewDto: {
            readonly request_id: string;
            /** @enum {string} */
            readonly kind: "sem_put" | "sensitive_consent" | "erasure";
            /** @enum {string} */
            readonly status: "pending" | "approved" | "executed" | "execution_refused" | "rejected" | "expired";
            /** @description The episode that a proposed fact is based on; null for other kinds. */
            readonly episodic_id: string | null;
            /** @description The key of a proposed fact; null for other kinds. */
            readonly target_sem_key: string | null;
            readonly value: components["schemas"]["Json"];
            readonly justification: string;
            readonly evidence: readonly components["schemas"]["JsonObject"][];
            readonly proposer: components["schemas"]["PersonDto"];
            /** @description The raw id of the user whom the request concerns, else that user’s entity id. */
            readonly made_for: string | null;
            /** @description `user`, `system` or `agent:<id>`: the source of the proposed fact. */
            readonly source: string;
            /** Format: date-time */
            readonly requested_at: string;
            /** Format: date-time */
            readonly expires_at: string;
            /**
             * Format: date-time
             * @description For an erasure whose retention period is not over: when it is.
             */
            readonly executable_from?: string;
            /** @description The number of votes needed; abstentions do not count. */
            readonly quorum: number;
            /** @description What a vote names, so that nobody votes on another proposal than the one they saw. */
            readonly proposal_hash: string;
            /** @description Whether the proposer has not answered the last question. */
            readonly awaits_answer: boolean;
            /** @description The number of votes on the current value. */
            readonly votes_cast: number;
            /** @description The votes that count towards the quorum: those without abstentions. Null while votes are hidden. */
            readonly votes_counted: number | null;
            /** @description The sub of the reviewer who works on it. Null for nobody, for agents and users, and for those by and for whom it was made. */
            readonly assigned_to: string | null;
            /**
             * Format: date-time
             * @description Until when the caller has put it off.
             */
            readonly snoozed_until: string | null;
            /** Format: date-time */
            readonly decided_at: string | null;
            /** @description Why an approved request was not executed: an error code, or SUPERSEDED. */
            readonly refusal_code: string | null;
            /** @description The job whose episode this is; its ReflectiveLog lists the request. */
            readonly job_seed?: string;
            /** @description The event of the proposal; null if the log cannot be read now. */
            readonly source_event: components["schemas"]["SourceEventDto"] | null;
            /** @description The votes on the current value; only the caller’s own while votes are hidden. */
            readonly votes: readonly components["schemas"]["VoteCastDto"][];
            /** @description Whether the votes of others are hidden, also those on earlier values: until the request is closed, from all but auditors and members who have voted. */
            readonly votes_hidden: boolean;
            /** @description Where the current value is a revision. */
            readonly revised: components["schemas"]["RevisedDto"] | null;
            /** @description Values that were replaced by revisions, oldest first; their votes do not count. */
            readonly earlier_versions: readonly components["schemas"]["EarlierVersionDto"][];
            /** @description Questions of reviewers and answers of the proposer. */
            readonly discussion: readonly components["schemas"]["RemarkDto"][];
            /** @description The comments of reviewers; empty for agents and users, and for those by and for whom it was made. */
            readonly comments: readonly components["schemas"]["CommentDto"][];
            /** @enum {string|null} */
            readonly rejected_for: "votes" | "tie" | null;
            /** @description The event that closed the vote; null for a pending request, and if the log cannot be read now. */
            readonly decision_event: components["schemas"]["SourceEventDto"] | null;
            readonly execution: components["schemas"]["ExecutionDto"] | null;
            /** @description The event that recorded what the approval led to: the write, its refusal, or the destroyed keys. Null before it. */
            readonly execution_event: components["schemas"]["SourceEventDto"] | null;
        };
        /** @description Personal data that was removed or sealed; never the data itself. */
        readonly DossierRedactionDto: {
            readonly field: string;
            /** @description The type that the rule finds, such as `email`. */
            readonly rule: string;
            readonly reason: string;
        };
        /** @description A council member’s word that a finding is not personal data. */
        readonly ClearanceDto: {
            readonly by: components["schemas"]["PersonDto"];
            readonly reason: string;
            /** Format: date-time */
            readonly at: string;
        };
        /** @description A finding in the current value: its place and its type, never the text. */
        readonly FlaggedSpanDto: {
            /** @description Such as `email`. */
            readonly type: string;
            /** @enum {string} */
            readonly category: "high" | "medium" | "low";
            /** @description The way to the text in the value: keys of objects, and indexes from 0. Of a key with a finding, it has the number among the sorted keys. */
            readonly path: readonly (string | number)[];
            /** @description Whether the finding is in the key, not in its value. */
            readonly in_key: boolean;
            /** @description Where it begins and ends in the text, in UTF-16 code units; the end is exclusive. */
            readonly span: readonly number[];
            /** @description False in scope `user` and for a value with data of category high: nobody can clear those. */
            readonly may_be_cleared: boolean;
            /** @description Who says that it is not personal data; it takes two members. */
            readonly cleared_by: readonly components["schemas"]["ClearanceDto"][];
        };
        /** @description What an approved request gave as its grounds. */
        readonly GroundsDto: {
            readonly justification: string;
            readonly evidence: readonly components["schemas"]["JsonObject"][];
        };
        /** @description A value of the target. Personal data is redacted. */
        readonly StandingFactDto: {
            readonly value: components["schemas"]["Json"];
            readonly source: string;
            /** Format: date-time */
            readonly last_updated: string;
            readonly notes: string | null;
            readonly meta: {
                readonly [key: string]: components["schemas"]["Json"];
            } | null;
            /** @description null if nobody approved it. */
            readonly approved_by: components["schemas"]["ApprovedByDto"] | null;
            /** @description null if nobody approved it. */
            readonly grounds: components["schemas"]["GroundsDto"] | null;
            /** @description The number of its event, for reads with `version`. */
            readonly version: number;
            readonly source_event: components["schemas"]["SourceEventDto"];
        };
        /** @description A fact near the target. */
        readonly SimilarFactDto: {
            readonly key: string;
            /** @enum {string} */
            readonly relation: "same_entity" | "same_attribute";
            /** @description Whether its value is the proposed one. */
            readonly is_same_value: boolean;
            readonly value: components["schemas"]["Json"];
            readonly source: string;
            /** Format: date-time */
            readonly last_updated: string;
            /** @description The number of the last event of its stream. */
            readonly version: number;
        };
        /** @description The present value of a target. Personal data is redacted. */
        readonly PresentValueDto: {
            readonly value: components["schemas"]["Json"];
            /** @description The number of the last event of its stream. */
            readonly version: number;
        };
        readonly ListedActionRequestDto: {
            readonly request_id: string;
            /** @enum {string} */
            readonly kind: "sem_put" | "sensitive_consent" | "erasure";
            /** @enum {string} */
            readonly status: "pending" | "approved" | "executed" | "execution_refused" | "rejected" | "expired";
            /** @description The episode that a proposed fact is based on; null for other kinds. */
            readonly episodic_id: string | null;
            /** @description The key of a proposed fact; null for other kinds. */
            readonly target_sem_key: string | null;
            readonly value: components["schemas"]["Json"];
            readonly justification: string;
            /** @description The first entries; together they have at most 2,000 characters as JSON. */
            readonly evidence: readonly components["schemas"]["JsonObject"][];
            readonly proposer: components["schemas"]["PersonDto"];
            /** @description The raw id of the user whom the request concerns, else that user’s entity id. */
            readonly made_for: string | null;
            /** @description `user`, `system` or `agent:<id>`: the source of the proposed fact. */
            readonly source: string;
            /** Format: date-time */
            readonly requested_at: string;
            /** Format: date-time */
            readonly expires_at: string;
            /**
             * Format: date-time
             * @description For an erasure whose retention period is not over: when it is.
             */
            readonly executable_from?: string;
            /** @description The number of votes needed; abstentions do not count. */
            readonly quorum: number;
            /** @description What a vote names, so that nobody votes on another proposal than the one they saw. */
            readonly proposal_hash: string;
            /** @description Whether the proposer has not answered the last question. */
            readonly awaits_answer: boolean;
            /** @description The number of votes on the current value. */
            readonly votes_cast: number;
            /** @description The votes that count towards the quorum: those without abstentions. Null while votes are hidden. */
            readonly votes_counted: number | null;
            /** @description The sub of the reviewer who works on it. Null for nobody, for agents and users, and for those by and for whom it was made. */
            readonly assigned_to: string | null;
            /**
             * Format: date-time
             * @description Until when the caller has put it off.
             */
            readonly snoozed_until: string | null;
            /** Format: date-time */
            readonly decided_at: string | null;
            /** @description Why an approved request was not executed: an error code, or SUPERSEDED. */
            readonly refusal_code: string | null;
            /** @description The number of all entries of the evidence. */
            readonly evidence_count: number;
            /** @description The job whose episode a proposed fact is based on; null without one. */
            readonly job_seed: string | null;
            /** @description The reviewer who revised the value last. */
            readonly editor: components["schemas"]["PersonDto"] | null;
            /** @description The present risk of a pending request, else the risk at the last vote; null if it recorded none, and for agents and users. */
            readonly risk: components["schemas"]["RiskDto"] | null;
            /** @description The present value of the target; null without a target or a fact, and for callers who may not read it. */
            readonly present: components["schemas"]["PresentValueDto"] | null;
            /**
             * @description The caller’s vote on the current value.
             * @enum {string|null}
             */
            readonly own_vote: "approve" | "reject" | "abstain" | null;
            /**
             * Format: date-time
             * @description When the proposer last answered a question.
             */
            readonly answered_at: string | null;
            /** @description Whether the last question of a reviewer is answered. */
            readonly answers_reviewer: boolean;
            /** @description Whether the caller’s last question is answered. */
            readonly answers_caller: boolean;
            /** @description The number of times that reviewers replaced the value. */
            readonly revisions: number;
            /** @enum {string|null} */
            readonly rejection_reason: "votes" | "tie" | null;
            readonly sem_stream: string | null;
            readonly sem_event_number: number | null;
            /** @description The number of the request’s last event. */
            readonly revision: number;
        };
        /** @description What else the proposer has proposed. */
        readonly ProposerHistoryDto: {
            /** @description The numbers of all its requests by status. */
            readonly by_status: {
                readonly [key: string]: number;
            };
            /** @description The newest other requests, at most 20. */
            readonly others: readonly components["schemas"]["ListedActionRequestDto"][];
        };
        /** @description A vote with which the council rejected a request. */
        readonly RejectionDto: {
            readonly voter: components["schemas"]["PersonDto"];
            readonly reason: string;
            /** @enum {string|null} */
            readonly reason_code: "untrue" | "unsupported" | "out_of_date" | "wrong_subject" | "unclear" | "personal" | "duplicate" | "manipulated" | "other" | null;
        };
        /** @description A rejected request with the same value for the same key. */
        readonly RejectedBeforeDto: {
            readonly request_id: string;
            /** Format: date-time */
            readonly decided_at: string;
            readonly rejections: readonly components["schemas"]["RejectionDto"][];
        };
        /** @description The episode that a proposed fact is based on. */
        readonly DossierEpisodeDto: {
            readonly episodic_id: string;
            /** @enum {string} */
            readonly state: "none" | "present" | "missing" | "erased";
            readonly summary: string | null;
            /** @description `agent`, `executor` or `brainstate`. */
            readonly source: string | null;
            readonly job_seed: string | null;
            readonly source_event: components["schemas"]["SourceEventDto"] | null;
        };
        /** @description An entry of the evidence, and the event that it names. */
        readonly DossierEvidenceDto: {
            readonly entry: components["schemas"]["JsonObject"];
            /**
             * @description `none` for an entry that names no episode, note or event.
             * @enum {string}
             */
            readonly state: "none" | "present" | "missing" | "erased";
            /** @description The summary of a cited episode. */
            readonly summary: string | null;
            readonly source_event: components["schemas"]["SourceEventDto"] | null;
        };
        /** @description Sealed values of the subject in one category of streams. */
        readonly SealedKindDto: {
            /** @description The category: `job`, `sem`, `note`, `remembered`, `conversation`, `thread` or `request`. */
            readonly kind: string;
            readonly values: number;
            readonly events: number;
            readonly streams: number;
            /** Format: date-time */
            readonly first_recorded_at: string;
            /** Format: date-time */
            readonly last_recorded_at: string;
        };
        /** @description What an erasure destroys, and what keeps it from being executed. */
        readonly ErasureReviewDto: {
            /** @description `user:<id>`, `sub:<id>`, `job:<seed>`, `request:<id>` or `fact:<key>`. */
            readonly subject: string;
            /** @enum {string} */
            readonly reason_code: "legal_erasure" | "retention" | "other";
            /** @description Whether the proposer asks for the own data. */
            readonly is_own: boolean;
            /** @description The values that nobody can open after the erasure, by category. Once it is executed, those under the destroyed keys. */
            readonly destroys: readonly components["schemas"]["SealedKindDto"][];
            /**
             * Format: date-time
             * @description When the retention period ends, before which nobody executes it; null if it is over or the reason is legal. New data of the subject moves it.
             */
            readonly retention_ends_at: string | null;
            /** @description What keeps the caller from executing it now; empty if nothing does. */
            readonly obstacles: readonly ("undecided" | "closed" | "ordered" | "executed" | "retention" | "role" | "voted")[];
        };
        readonly DossierDto: {
            readonly request: components["schemas"]["ActionRequestViewDto"];
            readonly redactions: readonly components["schemas"]["DossierRedactionDto"][];
            /** @description The findings in the current value, in the order of their numbers, as far as they are recorded. */
            readonly flagged_spans: readonly components["schemas"]["FlaggedSpanDto"][];
            /** @description The event of the proposal. */
            readonly source_event: components["schemas"]["SourceEventDto"];
            /** @description The present risk of a pending request, else the risk at the last vote. */
            readonly risk: components["schemas"]["RiskDto"] | null;
            /** @description The check of a pending request at the time of this answer; empty if nothing has changed. */
            readonly recheck: readonly components["schemas"]["RecheckDto"][];
            /** @description The present value of the target. */
            readonly present_fact: components["schemas"]["StandingFactDto"] | null;
            /** @description The value of the target when the request was made. */
            readonly fact_at_proposal: components["schemas"]["StandingFactDto"] | null;
            /** @description Facts of the same entity, and of the same attribute; at most 10 of each. */
            readonly similar_facts: readonly components["schemas"]["SimilarFactDto"][];
            /** @description Other pending requests for the same target, at most 20. */
            readonly rival_requests: readonly components["schemas"]["ListedActionRequestDto"][];
            /** @description Other pending requests by or about the user of a consent or an erasure, newest first, at most 20; empty for a fact. */
            readonly person_requests: readonly components["schemas"]["ListedActionRequestDto"][];
            readonly proposer_history: components["schemas"]["ProposerHistoryDto"];
            /** @description Rejected requests with the same value for the same target, newest first, at most 5. */
            readonly rejected_before: readonly components["schemas"]["RejectedBeforeDto"][];
            /** @description null for a request of another kind. */
            readonly episode: components["schemas"]["DossierEpisodeDto"] | null;
            readonly evidence: readonly components["schemas"]["DossierEvidenceDto"][];
            /** @description The consent that would cover data of category high; null for a request of another kind. */
            readonly consent: components["schemas"]["ConsentDto"] | null;
            /** @description null for a request of another kind. */
            readonly erasure: components["schemas"]["ErasureReviewDto"] | null;
        };
        /** @description An event as the log stores it. */
        readonly ReceiptEventDto: {
            readonly stream: string;
            readonly number: number;
            readonly position: string;
            readonly type: string;
            readonly data: components["schemas"]["JsonObject"];
            /** @description With `hash` and `recorded_at`. */
            readonly metadata: components["schemas"]["JsonObject"];
        };
        readonly ReceiptDto: {
            /** @description The hash of the event before it; 64 zeros for the first one. */
            readonly prev: string;
            readonly event: components["schemas"]["ReceiptEventDto"];
            /** @description The id of the key in /.well-known/jwks.json. */
            readonly key_id: string;
            readonly public_key: string;
            /** @description Ed25519 over the canonical JSON (RFC 8785) of all other fields, as 128 hex digits. */
            readonly signature: string;
            /** @enum {string} */
            readonly document: "mace-receipt-1";
            readonly request_id: string;
        };
        /** @description Why the vote on one of the requests was refused. */
        readonly BallotErrorDto: {
            readonly error_code: string;
            readonly user_message: string;
            readonly developer_message: string;
        };
        /** @description The vote on one of several requests: cast, with its receipt, or refused. */
        readonly BallotResultDto: {
            readonly request_id: string;
            /**
             * @description The status after the vote.
             * @enum {string|null}
             */
            readonly status: "pending" | "approved" | "executed" | "execution_refused" | "rejected" | "expired" | null;
            /** @description The event of the vote. */
            readonly receipt: components["schemas"]["SourceEventDto"] | null;
            /** @description null if the vote was cast. */
            readonly error: components["schemas"]["BallotErrorDto"] | null;
        };
        readonly BallotResultsDto: {
            /** @description In the order of the requests. */
            readonly results: readonly components["schemas"]["BallotResultDto"][];
        };
        /** @description What would become of a proposal now. It is not made. */
        readonly DryRunDto: {
            /** @enum {boolean} */
            readonly dry_run: true;
            readonly risk: components["schemas"]["RiskDto"];
            /** @description Whether its approval would be refused, or would change nothing; null if that depends on a consent that is unknown. */
            readonly would_be_refused: boolean | null;
            /** @description What would refuse the approval, and whether the key has the value already. */
            readonly recheck: readonly components["schemas"]["RecheckDto"][];
            /**
             * @description Whether a consent covers the personal data in the value; `unknown` if it is about a user for whom the token is not.
             * @enum {string}
             */
            readonly consent: "not_needed" | "covered" | "missing" | "revoked" | "unknown";
            /**
             * Format: date-time
             * @description For an erasure whose retention period is not over: when it is.
             */
            readonly executable_from?: string;
        };
        /** @description The numbers of the requests that the other filters select, whatever `would_be_refused`. */
        readonly ActionRequestCountsDto: {
            /** @description By status, in the question of the filter, whatever its status and risk. */
            readonly by_status: {
                readonly [key: string]: number;
            };
            /** @description By risk, in the status and question of the filter; null for agents and users. */
            readonly by_risk: {
                readonly [key: string]: number;
            } | null;
            /** @description By the states of questions, which overlap, in the status and risk of the filter. */
            readonly by_question: {
                readonly [key: string]: number;
            };
        };
        readonly ActionRequestsPageDto: {
            readonly action_requests: readonly components["schemas"]["ListedActionRequestDto"][];
            /** @description With `counts=true`. */
            readonly counts?: components["schemas"]["ActionRequestCountsDto"];
            readonly next_cursor: string | null;
        };
        readonly VotedRequestDto: {
            readonly request_id: string;
            /** @enum {string} */
            readonly kind: "sem_put" | "sensitive_consent" | "erasure";
            /** @enum {string} */
            readonly status: "pending" | "approved" | "executed" | "execution_refused" | "rejected" | "expired";
            /** @description The episode that a proposed fact is based on; null for other kinds. */
            readonly episodic_id: string | null;
            /** @description The key of a proposed fact; null for other kinds. */
            readonly target_sem_key: string | null;
            readonly value: components["schemas"]["Json"];
            readonly justification: string;
            readonly evidence: readonly components["schemas"]["JsonObject"][];
            readonly proposer: components["schemas"]["PersonDto"];
            /** @description The raw id of the user whom the request concerns, else that user’s entity id. */
            readonly made_for: string | null;
            /** @description `user`, `system` or `agent:<id>`: the source of the proposed fact. */
            readonly source: string;
            /** Format: date-time */
            readonly requested_at: string;
            /** Format: date-time */
            readonly expires_at: string;
            /**
             * Format: date-time
             * @description For an erasure whose retention period is not over: when it is.
             */
            readonly executable_from?: string;
            /** @description The number of votes needed; abstentions do not count. */
            readonly quorum: number;
            /** @description What a vote names, so that nobody votes on another proposal than the one they saw. */
            readonly proposal_hash: string;
            /** @description Whether the proposer has not answered the last question. */
            readonly awaits_answer: boolean;
            /** @description The number of votes on the current value. */
            readonly votes_cast: number;
            /** @description The votes that count towards the quorum: those without abstentions. Null while votes are hidden. */
            readonly votes_counted: number | null;
            /** @description The sub of the reviewer who works on it. Null for nobody, for agents and users, and for those by and for whom it was made. */
            readonly assigned_to: string | null;
            /**
             * Format: date-time
             * @description Until when the caller has put it off.
             */
            readonly snoozed_until: string | null;
            /** Format: date-time */
            readonly decided_at: string | null;
            /** @description Why an approved request was not executed: an error code, or SUPERSEDED. */
            readonly refusal_code: string | null;
            /** @description The job whose episode this is; its ReflectiveLog lists the request. */
            readonly job_seed?: string;
            /** @description The event of the proposal; null if the log cannot be read now. */
            readonly source_event: components["schemas"]["SourceEventDto"] | null;
            /** @description The votes on the current value; only the caller’s own while votes are hidden. */
            readonly votes: readonly components["schemas"]["VoteCastDto"][];
            /** @description Whether the votes of others are hidden, also those on earlier values: until the request is closed, from all but auditors and members who have voted. */
            readonly votes_hidden: boolean;
            /** @description Where the current value is a revision. */
            readonly revised: components["schemas"]["RevisedDto"] | null;
            /** @description Values that were replaced by revisions, oldest first; their votes do not count. */
            readonly earlier_versions: readonly components["schemas"]["EarlierVersionDto"][];
            /** @description Questions of reviewers and answers of the proposer. */
            readonly discussion: readonly components["schemas"]["RemarkDto"][];
            /** @description The comments of reviewers; empty for agents and users, and for those by and for whom it was made. */
            readonly comments: readonly components["schemas"]["CommentDto"][];
            /** @enum {string|null} */
            readonly rejected_for: "votes" | "tie" | null;
            /** @description The event that closed the vote; null for a pending request, and if the log cannot be read now. */
            readonly decision_event: components["schemas"]["SourceEventDto"] | null;
            readonly execution: components["schemas"]["ExecutionDto"] | null;
            /** @description The event that recorded what the approval led to: the write, its refusal, or the destroyed keys. Null before it. */
            readonly execution_event: components["schemas"]["SourceEventDto"] | null;
            /** @description The event of the vote; null if the vote is recorded but its event could not be read again. */
            readonly receipt: components["schemas"]["SourceEventDto"] | null;
        };
        readonly ListedJobDto: {
            readonly job_seed: string;
            /** @description The job’s log position, in decimal; used as `cursor`. */
            readonly position: string;
            /** @enum {string} */
            readonly status: "running" | "ended";
            readonly owner_sub: string;
            /** @description The user id in lower case, without an initial `user_`. */
            readonly owner_user_id: string | null;
            readonly session_id: string | null;
            readonly goal: string | null;
            readonly tick: number;
            /** @description The number of the job’s last event, from 0. */
            readonly version: number;
            readonly wm_count: number;
            readonly cwm_count: number;
            readonly promotions: number;
            readonly episodes: number;
            readonly reads: number;
            readonly sem_snapshot_id: string;
            readonly episodic_snapshot_id: string;
            readonly brainstate_snapshot_id: string;
            /**
             * Format: date-time
             * @description Wall-clock time.
             */
            readonly started_at: string;
            /** Format: date-time */
            readonly last_event_at: string;
            /** Format: date-time */
            readonly ended_at: string | null;
        };
        readonly JobsPageDto: {
            /** @description Newest first. */
            readonly jobs: readonly components["schemas"]["ListedJobDto"][];
            readonly next_cursor: string | null;
        };
        readonly JobEventDto: {
            readonly stream: string;
            /** @description The event’s number in the stream, from 0. */
            readonly number: number;
            /** @description The event’s position in the whole log, in decimal. */
            readonly position: string;
            readonly type: string;
            readonly data: components["schemas"]["JsonObject"];
            readonly metadata: components["schemas"]["JsonObject"];
        };
        readonly EventMatchesDto: {
            /** @description How many events of the job meet the conditions. */
            readonly count: number;
            /** @description How many of them come before `from`. */
            readonly before: number;
            /** @description The last of them before `from`. */
            readonly previous: number | null;
            /** @description The first of them after `from`. */
            readonly next: number | null;
        };
        readonly JobEventsPageDto: {
            readonly events: readonly components["schemas"]["JobEventDto"][];
            readonly next_from: number | null;
            /** @description Present if the request has conditions. */
            readonly matches?: components["schemas"]["EventMatchesDto"];
        };
        readonly JobTimelineDto: {
            readonly job_seed: string;
            /** @description The number of the job’s last event, from 0. */
            readonly version: number;
            /** @description The types that occur, in the order of their first event. */
            readonly types: readonly string[];
            /** @description For each event, the index of its type in `types`. */
            readonly type_of: readonly number[];
            /** @description The numbers of the events that began a tick, in order. */
            readonly ticks: readonly number[];
            /** @description The first event whose hash does not fit, or that cannot be read; null without one. */
            readonly broken_at: number | null;
        };
        readonly JobStateDto: {
            readonly job_seed: string;
            /** @enum {string} */
            readonly status: "running" | "ended";
            readonly tick: number;
            /** @description The number of the job’s last event, from 0. */
            readonly version: number;
            /** @description Working memory, newest first. */
            readonly wm: readonly components["schemas"]["WmEntryDto"][];
            /** @description The consolidated working memory. */
            readonly cwm: components["schemas"]["CwmDto"];
            /** @description The snapshots that the job reads, pinned at its start. */
            readonly snapshots: components["schemas"]["JobSnapshotsDto"];
            /** @description How many episodes the job has written so far. */
            readonly episodes: number;
            /** @description The state of the query that the job runs; null without one. */
            readonly query: components["schemas"]["Json"];
        };
        readonly ReadPlaceDto: {
            /** @description The number of the job’s event. */
            readonly number: number;
            readonly tick: number;
            /** @enum {string} */
            readonly kind: "sem_get" | "episodes_query" | "wm_find" | "cwm_find" | "search";
            /** Format: date-time */
            readonly recorded_at: string;
            readonly trace_id: string;
            /** @description The position of the log at which a search read; null for a read at the job’s snapshots. */
            readonly as_of: string | null;
        };
        readonly ThingReadDto: {
            /** @description The key of a fact, or the id of what else was read. */
            readonly id: string;
            /** @description How often the job had read it. */
            readonly times: number;
            readonly last: components["schemas"]["ReadPlaceDto"];
            /** @description The fact as the last read saw it; null for what is no fact, was not there, or is hidden from the caller. */
            readonly fact: components["schemas"]["FactDto"] | null;
        };
        readonly JobKnewDto: {
            /** @description Its memory. */
            readonly job: components["schemas"]["JobDto"];
            /**
             * Format: date-time
             * @description When its last event until then was recorded.
             */
            readonly recorded_at: string;
            /** @description The user for whom it ran. */
            readonly user_id: string | null;
            /** @description What it had read, in the order of the first reads. */
            readonly read: readonly components["schemas"]["ThingReadDto"][];
            readonly next_cursor: string | null;
            /** @description Reads of further things than the first 10,000, which no page has. */
            readonly left_out: number;
        };
        readonly AgentOutputDto: {
            readonly agent_id: string;
            /** @description At most 16,000 characters stand in the log; the whole of a longer one is what `artifact_url` names. */
            readonly text: string;
            /** @description 0..1 */
            readonly confidence: number;
            readonly reasoning_trace: readonly string[];
            readonly tokens: number;
            readonly time_ms: number;
            readonly artifact_url?: string;
        };
        readonly VoteScoresDto: {
            readonly factuality: number;
            readonly coherence: number;
            readonly safety: number;
        };
        readonly CouncilVoteDto: {
            readonly council_agent_id: string;
            readonly scores: components["schemas"]["VoteScoresDto"];
            readonly approve: boolean;
            readonly suggested_changes: string;
            /** @description At most 4,000 characters. */
            readonly note: string;
        };
        readonly LogRedactionDto: {
            readonly field: string;
            readonly type: string;
            readonly hash: string;
            readonly redaction_reason: string;
        };
        readonly LogSignatureDto: {
            readonly key_id: string;
            readonly value: string;
        };
        /** @description A complete log: every field is required, and none of them ever changes. */
        readonly PostLogDto: {
            /** @enum {string} */
            readonly source: "system" | "user_request" | "api";
            readonly query_id: string;
            /** @description 64 hex digits; preferably a keyed hash, because a plain hash of a short text can be guessed. */
            readonly query_text_hash: string;
            readonly qcp_summary: components["schemas"]["JsonObject"];
            readonly agents_invoked: readonly string[];
            readonly agent_outputs: readonly components["schemas"]["AgentOutputDto"][];
            readonly council_votes: readonly components["schemas"]["CouncilVoteDto"][];
            readonly final_answer: components["schemas"]["Json"];
            /** @description 0..1, or null if no agent answered. */
            readonly final_confidence: number | null;
            readonly repair_loops: number;
            readonly cache_hit: boolean;
            readonly runtime_metrics: components["schemas"]["JsonObject"];
            readonly system_version: string;
            /** @description A UUID of any version except 5, or a SHA-256, in lower case. */
            readonly log_id: string;
            /** Format: date-time */
            readonly created_at: string;
            readonly sem_snapshot_hash: string;
            readonly job_seed: string;
            /** @description The hash of the job stream’s last event. */
            readonly stream_head_hash: string;
            readonly episodic_snapshot_id: string;
            readonly brainstate_snapshot_id: string;
            readonly evidence: readonly components["schemas"]["JsonObject"][];
            readonly redactions: readonly components["schemas"]["LogRedactionDto"][];
            /** @description Verified if present. */
            readonly signature?: components["schemas"]["LogSignatureDto"];
        };
        readonly LogPostedDto: {
            readonly log_id: string;
            readonly signature: components["schemas"]["LogSignatureDto"];
        };
        readonly SignedLogDto: {
            /** @enum {string} */
            readonly source: "system" | "user_request" | "api";
            readonly query_id: string;
            /** @description 64 hex digits; preferably a keyed hash, because a plain hash of a short text can be guessed. */
            readonly query_text_hash: string;
            readonly qcp_summary: components["schemas"]["JsonObject"];
            readonly agents_invoked: readonly string[];
            readonly agent_outputs: readonly components["schemas"]["AgentOutputDto"][];
            readonly council_votes: readonly components["schemas"]["CouncilVoteDto"][];
            readonly final_answer: components["schemas"]["Json"];
            /** @description 0..1, or null if no agent answered. */
            readonly final_confidence: number | null;
            readonly repair_loops: number;
            readonly cache_hit: boolean;
            readonly runtime_metrics: components["schemas"]["JsonObject"];
            readonly system_version: string;
            /** @description A UUID of any version except 5, or a SHA-256, in lower case. */
            readonly log_id: string;
            /** Format: date-time */
            readonly created_at: string;
            readonly sem_snapshot_hash: string;
            readonly job_seed: string;
            /** @description The hash of the job stream’s last event. */
            readonly stream_head_hash: string;
            readonly episodic_snapshot_id: string;
            readonly brainstate_snapshot_id: string;
            readonly evidence: readonly components["schemas"]["JsonObject"][];
            readonly redactions: readonly components["schemas"]["LogRedactionDto"][];
            readonly signature: components["schemas"]["LogSignatureDto"];
            /** @description Whether the signature matches this log. */
            readonly signature_valid: boolean;
            /**
             * @description `job`: the log of an ended job; `posted`: posted by an agent.
             * @enum {string}
             */
            readonly origin: "job" | "posted";
        };
        readonly LogsPageDto: {
            /** @description Oldest first. */
            readonly reflective_logs: readonly components["schemas"]["SignedLogDto"][];
            readonly next_cursor: string | null;
        };
        readonly LogFindingDto: {
            readonly log_id: string;
            /**
             * @description `tampered`, `missing`, `forged`: quarantined and healed. `unverifiable`: the key is not known here.
             * @enum {string}
             */
            readonly fault: "tampered" | "missing" | "forged" | "unverifiable" | "broken";
            readonly reason: string;
            readonly quarantine_id: string | null;
            /** @description Whether the row was restored from the log. */
            readonly healed: boolean;
        };
        readonly LogVerificationDto: {
            readonly checked: number;
            readonly intact: number;
            readonly findings: readonly components["schemas"]["LogFindingDto"][];
        };
        readonly AuthorDto: {
            readonly sub: string;
            readonly user_id: string | null;
            readonly role: string;
        };
        readonly AmendmentViewDto: {
            /** Format: date-time */
            readonly created_at: string;
            readonly author: components["schemas"]["AuthorDto"];
            readonly redactions: readonly components["schemas"]["LogRedactionDto"][];
            readonly amendment_id: string;
            readonly target_log_id: string;
            readonly changes: components["schemas"]["JsonObject"];
            /** @enum {string} */
            readonly effect: "note" | "override_suggestion" | "revalidate";
        };
        readonly FeedbackViewDto: {
            /** Format: date-time */
            readonly created_at: string;
            readonly author: components["schemas"]["AuthorDto"];
            readonly redactions: readonly components["schemas"]["LogRedactionDto"][];
            readonly feedback_id: string;
            /** @description 1 to 5. */
            readonly rating: number | null;
            readonly comment: string | null;
        };
        readonly LabelViewDto: {
            /** Format: date-time */
            readonly created_at: string;
            readonly author: components["schemas"]["AuthorDto"];
            readonly redactions: readonly components["schemas"]["LogRedactionDto"][];
            readonly label_id: string;
            readonly ground_truth_label: components["schemas"]["Json"];
        };
        /** @description An event of an action request that cites an episode of this job, or the write that it led to. */
        readonly CouncilEventDto: {
            readonly request_id: string;
            /** @description The type of the event. */
            readonly kind: string;
            readonly stream: string;
            /** @description The number of the event in its stream. */
            readonly event_number: number;
        };
        readonly ReviewViewDto: {
            /** Format: date-time */
            readonly created_at: string;
            readonly author: components["schemas"]["AuthorDto"];
            readonly redactions: readonly components["schemas"]["LogRedactionDto"][];
            readonly review_id: string;
            readonly reason: string;
        };
        readonly LogWithAdditionsDto: {
            /** @enum {string} */
            readonly source: "system" | "user_request" | "api";
            readonly query_id: string;
            /** @description 64 hex digits; preferably a keyed hash, because a plain hash of a short text can be guessed. */
            readonly query_text_hash: string;
            readonly qcp_summary: components["schemas"]["JsonObject"];
            readonly agents_invoked: readonly string[];
            readonly agent_outputs: readonly components["schemas"]["AgentOutputDto"][];
            readonly council_votes: readonly components["schemas"]["CouncilVoteDto"][];
            readonly final_answer: components["schemas"]["Json"];
            /** @description 0..1, or null if no agent answered. */
            readonly final_confidence: number | null;
            readonly repair_loops: number;
            readonly cache_hit: boolean;
            readonly runtime_metrics: components["schemas"]["JsonObject"];
            readonly system_version: string;
            /** @description A UUID of any version except 5, or a SHA-256, in lower case. */
            readonly log_id: string;
            /** Format: date-time */
            readonly created_at: string;
            readonly sem_snapshot_hash: string;
            readonly job_seed: string;
            /** @description The hash of the job stream’s last event. */
            readonly stream_head_hash: string;
            readonly episodic_snapshot_id: string;
            readonly brainstate_snapshot_id: string;
            readonly evidence: readonly components["schemas"]["JsonObject"][];
            readonly redactions: readonly components["schemas"]["LogRedactionDto"][];
            readonly signature: components["schemas"]["LogSignatureDto"];
            /** @description Whether the signature matches this log. */
            readonly signature_valid: boolean;
            /**
             * @description `job`: the log of an ended job; `posted`: posted by an agent.
             * @enum {string}
             */
            readonly origin: "job" | "posted";
            readonly amendments: readonly components["schemas"]["AmendmentViewDto"][];
            readonly user_feedback: readonly components["schemas"]["FeedbackViewDto"][];
            readonly ground_truth_labels: readonly components["schemas"]["LabelViewDto"][];
            readonly audit_tags: readonly string[];
            /** @description The action requests on episodes of this job: votes, outcomes and writes. */
            readonly council_events: readonly components["schemas"]["CouncilEventDto"][];
            /** @description The open human review. */
            readonly open_review: components["schemas"]["ReviewViewDto"] | null;
            /** @description Where `artifacts` asks for them: the whole texts by `artifact_url`; null for one that is gone or has changed. */
            readonly artifacts?: {
                readonly [key: string]: string | null;
            };
        };
        readonly AuditTagsDto: {
            readonly audit_tags: readonly string[];
        };
        readonly QuarantineEntryDto: {
            readonly quarantine_id: string;
            /** @enum {string} */
            readonly fault: "tampered" | "missing" | "forged" | "submitted";
            readonly log_id: string | null;
            readonly reason: string;
            /** Format: date-time */
            readonly at: string;
            readonly detail: components["schemas"]["JsonObject"];
        };
        readonly QuarantinePageDto: {
            readonly quarantine: readonly components["schemas"]["QuarantineEntryDto"][];
            readonly next_cursor: string | null;
        };
        readonly IntegrityFindingDto: {
            readonly stream: string;
            /** @description The number of the event in its stream, from 0. */
            readonly number: number;
            /** @enum {string} */
            readonly problem: "missing" | "repeated" | "wrong_hash" | "wrong_event_id" | "wrong_appended_id" | "unknown_category" | "unknown_type" | "unreadable" | "diverged";
        };
        readonly IntegrityReportDto: {
            /** Format: date-time */
            readonly started_at: string;
            /** @description The caller; `system`: the schedule. Earlier releases did not record it. */
            readonly made_by?: string;
            /**
             * @description From where it was started, as the caller said. Earlier releases did not record it.
             * @enum {string}
             */
            readonly means?: "console" | "command_line" | "api" | "schedule";
            /**
             * Format: date-time
             * @description Null while the verification runs.
             */
            readonly finished_at: string | null;
            /** @description The number of events that were checked. */
            readonly events: number;
            /** @description The number of streams; 0 while the verification runs. */
            readonly streams: number;
            /** @description Whether the decisions are replayed as well. */
            readonly decisions: boolean;
            /** @description The number of streams whose decisions were replayed. */
            readonly decided: number;
            /** @description The number of all findings. */
            readonly found: number;
            /** @description The first 1,000 findings. */
            readonly findings: readonly components["schemas"]["IntegrityFindingDto"][];
        };
        readonly IntegrityFindingsDto: {
            /** @description The last verification that finished; null before the first one. */
            readonly last: components["schemas"]["IntegrityReportDto"] | null;
            /** @description The verification that runs now. */
            readonly running: components["schemas"]["IntegrityReportDto"] | null;
        };
        readonly IntegrityRunDto: {
            /** Format: date-time */
            readonly started_at: string;
            /** @description The caller; `system`: the schedule. Earlier releases did not record it. */
            readonly made_by?: string;
            /**
             * @description From where it was started, as the caller said. Earlier releases did not record it.
             * @enum {string}
             */
            readonly means?: "console" | "command_line" | "api" | "schedule";
            /**
             * Format: date-time
             * @description Null while the verification runs.
             */
            readonly finished_at: string | null;
            /** @description The number of events that were checked. */
            readonly events: number;
            /** @description The number of streams; 0 while the verification runs. */
            readonly streams: number;
            /** @description Whether the decisions are replayed as well. */
            readonly decisions: boolean;
            /** @description The number of streams whose decisions were replayed. */
            readonly decided: number;
            /** @description The number of all findings. */
            readonly found: number;
        };
        readonly IntegrityRunsDto: {
            /** @description The newest first; the last 100 that ended with a result. */
            readonly runs: readonly components["schemas"]["IntegrityRunDto"][];
        };
        readonly CheckpointRunDto: {
            readonly checkpoint_id: string;
            /** Format: date-time */
            readonly started_at: string;
            /**
             * Format: date-time
             * @description Null while the log is read.
             */
            readonly finished_at: string | null;
            /** @description The number of events that were checked. */
            readonly events: number;
            /** @description The number of events that failed their check. */
            readonly found: number;
            /** @description The SHA-256 of the file; null while the log is read. */
            readonly sha256: string | null;
        };
        readonly CheckpointPlaceDto: {
            /** @description A URL of `MACE_CHECKPOINT_PLACE`; `data_dir`: the data directory of the instance that made it. */
            readonly place: string;
            /**
             * Format: date-time
             * @description Null until the place has taken the file.
             */
            readonly kept_at: string | null;
            /**
             * Format: date-time
             * @description Until then, nobody can delete the file there.
             */
            readonly locked_until: string | null;
            /**
             * @description Why the place has not taken the file; the service goes on to try.
             * @enum {string|null}
             */
            readonly problem: "unreachable" | "refused" | "other_file" | "no_room" | null;
        };
        readonly LogCheckpointDto: {
            readonly checkpoint_id: string;
            /**
             * Format: date-time
             * @description The time before the log was read.
             */
            readonly created_at: string;
            /** Format: date-time */
            readonly made_at: string;
            /** @description The caller; `system`: the schedule. */
            readonly made_by: string;
            /** @description The position of the last event that it covers. */
            readonly position: string;
            readonly events: number;
            readonly streams: number;
            /** @description The number of events that failed their check. */
            readonly found: number;
            /** @description The thumbprint of the key that signed it (RFC 7638). */
            readonly key_id: string;
            /** @description The SHA-256 of the file, as hex digits. */
            readonly sha256: string;
            readonly bytes: number;
            readonly places: readonly components["schemas"]["CheckpointPlaceDto"][];
        };
        readonly CheckpointScheduleDto: {
            /** @description The minutes between two checkpoints, if the log has grown; null: only on request. */
            readonly every_minutes: number | null;
            readonly places: readonly string[];
            /** @description The days of the object lock of buckets. */
            readonly lock_days: number | null;
        };
        readonly LogCheckpointsPageDto: {
            /** @description The newest first. */
            readonly checkpoints: readonly components["schemas"]["LogCheckpointDto"][];
            readonly next_cursor: string | null;
            /** @description The checkpoint that is made now. */
            readonly running: components["schemas"]["CheckpointRunDto"] | null;
            readonly schedule: components["schemas"]["CheckpointScheduleDto"];
        };
        readonly ComparedCheckpointDto: {
            /** @description Null for a file that the caller sent. */
            readonly checkpoint_id: string | null;
            /** Format: date-time */
            readonly created_at: string;
            readonly position: string;
            readonly streams: number;
            readonly key_id: string;
            /** @description Whether a key of this service signed it, a replaced one included. */
            readonly is_of_this_service: boolean;
        };
        readonly ComparisonFindingDto: {
            readonly stream: string;
            /** @description The number of the event in its stream, from 0. */
            readonly number: number;
            /** @enum {string} */
            readonly problem: "missing" | "repeated" | "wrong_hash" | "wrong_event_id" | "wrong_appended_id" | "unknown_category" | "unknown_type" | "unreadable" | "diverged" | "stream_missing" | "stream_cut" | "stream_changed" | "stream_inserted";
        };
        readonly LogComparisonDto: {
            /** Format: date-time */
            readonly started_at: string;
            /**
             * Format: date-time
             * @description Null while the comparison runs.
             */
            readonly finished_at: string | null;
            readonly checkpoint: components["schemas"]["ComparedCheckpointDto"];
            /** @description The number of events that were checked. */
            readonly events: number;
            /** @description The number of all findings. */
            readonly found: number;
            /** @description The first 1,000 findings, those of a verification included. */
            readonly findings: readonly components["schemas"]["ComparisonFindingDto"][];
        };
        readonly LogComparisonsDto: {
            /** @description The last comparison that finished; null before the first one. */
            readonly last: components["schemas"]["LogComparisonDto"] | null;
            /** @description The comparison that runs now. */
            readonly running: components["schemas"]["LogComparisonDto"] | null;
        };
        readonly KeptMemoryDto: {
            readonly id: string;
            readonly version: number;
            readonly text: string;
            /** @description True if the same text was remembered before. */
            readonly existed: boolean;
        };
        readonly NotKeptDto: {
            readonly text: string;
            /** @enum {string} */
            readonly reason: "question" | "task" | "small_talk" | "quotation" | "supposition" | "not_about_you" | "too_long" | "too_many" | "sensitive" | "asked_to_forget";
        };
        readonly KeptDto: {
            readonly kept: readonly components["schemas"]["KeptMemoryDto"][];
            readonly not_kept: readonly components["schemas"]["NotKeptDto"][];
        };
        readonly RecalledMemoryDto: {
            /** @enum {string} */
            readonly kind: "memory" | "memory_item" | "fact" | "episode";
            /** @description The id of the memory, the item or the episode, or the key. */
            readonly id: string;
            readonly text: string;
            /**
             * Format: date-time
             * @description As `shown_at` of a search.
             */
            readonly time: string;
            /** @description For a prompt: the date and the text, in one line. */
            readonly line: string;
            /** @description Null for what was not found by the query’s words. */
            readonly score: number | null;
            /** @description Only for a memory. */
            readonly version?: number;
            /** @description Only for a memory. */
            readonly tags?: readonly string[];
        };
        readonly RecallDto: {
            /** @description Standing instructions, then what the query found, best first, then the newest. */
            readonly recalled: readonly components["schemas"]["RecalledMemoryDto"][];
            /** @description For a prompt: one dated line for each; empty without any. */
            readonly text: string;
            /** @description The position in the log at which memory was read. */
            readonly as_of: string;
        };
        readonly RememberedDto: {
            readonly id: string;
            /** @description 1, and one more for each rewording. */
            readonly version: number;
            /** @description `[REDACTED:…]` for other readers than the person; `[DAMAGED]` if nobody can read it. */
            readonly text: string;
            readonly tags: readonly string[];
            /**
             * @description Why the sentence was kept; of a text that was given, `instruction` or null.
             * @enum {string|null}
             */
            readonly kept_because: "asked" | "instruction" | "about_you" | "other_language" | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            /** Format: date-time */
            readonly expires_at: string | null;
            /** @description True, in a list, for a memory whose sealed text was changed outside the service. */
            readonly damaged?: boolean;
        };
        readonly RememberedPageDto: {
            /** @description Newest first. */
            readonly memories: readonly components["schemas"]["RememberedDto"][];
            /** @description Null on the last page. */
            readonly next_cursor: string | null;
        };
        readonly RewordedDto: {
            readonly id: string;
            readonly version: number;
            readonly text: string;
        };
        readonly ForgottenDto: {
            readonly id: string;
            /** @description What became of the text. */
            readonly note: string;
        };
        readonly MemoryItemDto: {
            /** @description `<space>:<owner>:<kind>:<n>` */
            readonly id: string;
            /** @enum {string} */
            readonly kind: "short_term" | "semantic" | "profile";
            readonly text: string;
            /** @enum {string} */
            readonly source: "user" | "ai" | "tool" | "system";
            /** @description The store’s tick when the item was created. */
            readonly created_at: number;
            readonly importance: number;
            /** @enum {string} */
            readonly scope: "session";
            /** @description `event_type`, `authority`, `dedup_key`, `phase_id` and more; of a recalled item also `recall_reason`. */
            readonly meta: components["schemas"]["JsonObject"];
        };
        readonly RecalledDto: {
            /** @description Short-term, then semantic, then profile items. */
            readonly items: readonly components["schemas"]["MemoryItemDto"][];
            /** @description Decisions: their `type`, and the fields that the contract requires for it. */
            readonly trace: readonly ({
                readonly type: string;
            } & {
                readonly [key: string]: components["schemas"]["Json"];
            })[];
        };
        readonly RecordedInteractionDto: {
            readonly written: readonly components["schemas"]["MemoryItemDto"][];
            /** @description Decisions: their `type`, and the fields that the contract requires for it. */
            readonly trace: readonly ({
                readonly type: string;
            } & {
                readonly [key: string]: components["schemas"]["Json"];
            })[];
        };
        readonly ListedStoreDto: {
            /** @enum {string} */
            readonly space: "session" | "user" | "project" | "system";
            readonly owner: string;
            /** @description The last tick of the store. */
            readonly tick: number;
            /** @description The number of the store’s last event. */
            readonly version: number;
        };
        readonly StoresPageDto: {
            /** @description In byte order of space and owner. A page may be short although others follow. */
            readonly stores: readonly components["schemas"]["ListedStoreDto"][];
            readonly next_cursor: string | null;
        };
        readonly ListedSessionDto: {
            /** @description The owner of the session’s store. */
            readonly owner: string;
            /** @description The assistant of the first request for the user. */
            readonly assistant: string;
            /** @description The position of the first request for the user. */
            readonly position: string;
            /**
             * Format: date-time
             * @description The time of that request.
             */
            readonly began_at: string;
        };
        readonly SessionsPageDto: {
            /** @description The newest first. A page may be short although others follow. */
            readonly sessions: readonly components["schemas"]["ListedSessionDto"][];
            readonly next_cursor: string | null;
        };
        readonly PhaseViewDto: {
            readonly phase_id: string;
            readonly phase_index: number;
            /** @description A tick. */
            readonly phase_started_at: number;
            readonly phase_reason: string;
            readonly phase_name?: string;
        };
        readonly StoreViewDto: {
            /** @enum {string} */
            readonly space: "session" | "user" | "project" | "system";
            readonly owner: string;
            readonly tick: number;
            /** @description The number of the store’s last event, -1 for none. */
            readonly version: number;
            readonly current_phase: components["schemas"]["PhaseViewDto"] | null;
            /** @description By kind, each oldest first. */
            readonly items: readonly components["schemas"]["MemoryItemDto"][];
        };
        readonly PhasesDto: {
            /** @enum {string} */
            readonly space: "session" | "user" | "project" | "system";
            readonly owner: string;
            /** @description Oldest first. */
            readonly phases: readonly components["schemas"]["PhaseViewDto"][];
        };
        readonly PhaseChangeDto: {
            /** @enum {string} */
            readonly change: "replaced" | "added" | "deleted";
            readonly dedupe_key?: string;
            readonly from_id?: string;
            readonly to_id?: string;
            /** @enum {string} */
            readonly from_kind?: "short_term" | "semantic" | "profile";
            /** @enum {string} */
            readonly to_kind?: "short_term" | "semantic" | "profile";
            readonly memory_id?: string;
            /** @enum {string} */
            readonly kind?: "short_term" | "semantic" | "profile";
        };
        readonly PhaseDiffViewDto: {
            /** @enum {string} */
            readonly space: "session" | "user" | "project" | "system";
            readonly owner: string;
            readonly from_phase_id: string;
            readonly to_phase_id: string;
            readonly added_count: number;
            readonly deleted_count: number;
            readonly replaced_count: number;
            /** @description At most 8: replaced, then added, then deleted. */
            readonly top_changes: readonly components["schemas"]["PhaseChangeDto"][];
            readonly summary_lines: readonly string[];
        };
        readonly SaidDto: {
            /** @description Null for a text that the log does not have. */
            readonly text: string | null;
            /**
             * @description Why the log does not have the text.
             * @enum {string}
             */
            readonly withheld?: "privacy_deny_sensitive" | "privacy_deny_pattern" | "personal_data";
        };
        readonly DeletionDto: {
            /** @description The number of the event. */
            readonly number: number;
            /** @enum {string} */
            readonly reason: "superseded" | "expired" | "promoted";
            /** @description The item that took its place. */
            readonly replaced_by: string | null;
        };
        readonly TurnItemDto: {
            /** @description The number of the event. */
            readonly number: number;
            /** @description As the event has it. */
            readonly item: components["schemas"]["MemoryItemDto"];
            /** @description Null while the store has the item. */
            readonly deleted: components["schemas"]["DeletionDto"] | null;
        };
        readonly LeftOutDto: {
            /** @enum {string} */
            readonly source: "user" | "ai" | "tool";
            /** @enum {string} */
            readonly kind: "short_term" | "semantic" | "profile";
            /** @enum {string} */
            readonly reason: "semantic_off" | "low_signal" | "plain_context" | "minimal_policy" | "profile_off" | "not_stated_as_fact";
        };
        readonly TurnDto: {
            /** @description The number of its first event. */
            readonly number: number;
            /** Format: date-time */
            readonly recorded_at: string;
            /**
             * @description `interaction_finished`: the last step of a turn of an earlier page.
             * @enum {string}
             */
            readonly type: "interaction_recorded" | "recall_asked" | "promotion_received" | "retention_applied" | "interaction_finished";
            readonly user: components["schemas"]["SaidDto"] | null;
            readonly ai: components["schemas"]["SaidDto"] | null;
            /** @description The tool events, as canonical JSON. */
            readonly tool: components["schemas"]["SaidDto"] | null;
            /** @description What the caller changed in the texts so that they could be stored. */
            readonly turn_altered?: components["schemas"]["JsonObject"];
            readonly stored: readonly components["schemas"]["TurnItemDto"][];
            readonly left_out: readonly components["schemas"]["LeftOutDto"][];
            /** @description Its decisions as the log has them, each with the number of its event. */
            readonly decisions: readonly ({
                readonly type: string;
                readonly number: number;
            } & {
                readonly [key: string]: components["schemas"]["Json"];
            })[];
        };
        readonly TurnsPageDto: {
            /** @description Oldest first. */
            readonly turns: readonly components["schemas"]["TurnDto"][];
            /** @description The `before` of the page of earlier turns. */
            readonly earlier: number | null;
            /** @description The `from` of the page of later turns. */
            readonly later: number | null;
        };
        readonly TracesPageDto: {
            /** @description Decisions, oldest first, each with the number of its event. */
            readonly traces: readonly ({
                readonly type: string;
                readonly number: number;
            } & {
                readonly [key: string]: components["schemas"]["Json"];
            })[];
            readonly next_from: number | null;
        };
        readonly MomentDto: {
            /** Format: date-time */
            readonly at: string;
            /** @description The position of the last event before the first one that was recorded later; null if the log began later. Reads of the past take it as `at`, searches and recalls also as `as_of`. */
            readonly position: string | null;
            /** @description The hash of that event. */
            readonly hash: string | null;
            /** @description True once the log has an event that was recorded later. Until then, the next event may still belong to this time. */
            readonly final: boolean;
        };
        readonly NoteDto: {
            readonly namespace: readonly string[];
            readonly key: string;
            readonly value: components["schemas"]["Json"];
            /**
             * Format: date-time
             * @description The first put since the note last did not exist.
             */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            /** @description The number of events of the note so far. */
            readonly version: number;
            /**
             * Format: date-time
             * @description Null for a note without a time to live.
             */
            readonly expires_at: string | null;
            /** @description The note’s stream in the log. */
            readonly stream: string;
        };
        readonly NoteDeletedDto: {
            /** @description The number of events of the note so far. */
            readonly version: number;
        };
        readonly NotesPageDto: {
            /** @description In the order of namespace and key by UTF-8 bytes; notes with a sealed namespace follow. */
            readonly notes: readonly components["schemas"]["NoteDto"][];
            /** @description Null on the last page. A page of large notes, or with a filter, can have fewer notes than its limit. */
            readonly next_cursor: string | null;
        };
        readonly NamespacesPageDto: {
            /** @description In byte order, each once. */
            readonly namespaces: readonly (readonly string[])[];
            readonly next_cursor: string | null;
        };
        readonly NoteVersionDto: {
            readonly version: number;
            /** @enum {string} */
            readonly type: "note_put" | "note_deleted" | "note_expired";
            /** @description Only for a put. */
            readonly value?: components["schemas"]["Json"];
            /**
             * Format: date-time
             * @description Only for a put.
             */
            readonly expires_at?: string | null;
            /** Format: date-time */
            readonly at: string;
            /** @description The sub of the writer; `system` for an expiry. */
            readonly actor: string;
            /** @description The event’s hash in the hash chain of the stream. */
            readonly hash: string;
        };
        readonly NoteHistoryPageDto: {
            readonly stream: string;
            /** @description Oldest first. */
            readonly versions: readonly components["schemas"]["NoteVersionDto"][];
            readonly next_cursor: number | null;
        };
        readonly AuditEventDto: {
            readonly stream: string;
            readonly number: number;
            readonly position: string;
            readonly hash: string;
        };
        readonly AdminAccessDto: {
            /** @description The caller. */
            readonly sub: string;
            /** Format: date-time */
            readonly recorded_at: string;
            readonly trace_id: string;
            /** @description The event that records it. */
            readonly event: components["schemas"]["AuditEventDto"];
            /** @description The stream that was read. */
            readonly stream: string;
            /** @description The version that was read; null for the latest one. */
            readonly version: number | null;
            /** @description Why the caller read it, without personal data; null if the caller gave no reason. */
            readonly reason: string | null;
        };
        readonly AdminAccessesPageDto: {
            /** @description The newest first. */
            readonly accesses: readonly components["schemas"]["AdminAccessDto"][];
            readonly next_cursor: string | null;
        };
        readonly StreamReceiptDto: {
            /** @description The hash of the event before it; 64 zeros for the first one. */
            readonly prev: string;
            readonly event: components["schemas"]["ReceiptEventDto"];
            /** @description The id of the key in /.well-known/jwks.json. */
            readonly key_id: string;
            readonly public_key: string;
            /** @description Ed25519 over the canonical JSON (RFC 8785) of all other fields, as 128 hex digits. */
            readonly signature: string;
            /** @enum {string} */
            readonly document: "mace-receipt-2";
        };
        readonly RefusedCommandDto: {
            /** @description The caller. */
            readonly sub: string;
            /** Format: date-time */
            readonly recorded_at: string;
            readonly trace_id: string;
            /** @description The event that records it. */
            readonly event: components["schemas"]["AuditEventDto"];
            readonly code: string;
            /** @description The HTTP method and path pattern, without ids. */
            readonly route: string;
            /** @description The stream that the command would have written. */
            readonly stream: string | null;
            /** @description Earlier refusals that were only counted: more than 60 in a minute. */
            readonly uncounted_before: number;
        };
        readonly RefusedCommandsPageDto: {
            /** @description The newest first. */
            readonly refusals: readonly components["schemas"]["RefusedCommandDto"][];
            readonly next_cursor: string | null;
        };
        readonly ConsentsPageDto: {
            /** @description The newest first. */
            readonly consents: readonly components["schemas"]["ConsentDto"][];
            readonly next_cursor: string | null;
        };
        readonly SearchNoteDto: {
            readonly namespace: readonly string[];
            readonly key: string;
            readonly version: number;
        };
        readonly SearchTermDto: {
            /** @description The stem under which the word is indexed. */
            readonly term: string;
            readonly score: number;
        };
        readonly SearchExplanationDto: {
            /** @description The part of each term in the text itself. */
            readonly terms: readonly components["schemas"]["SearchTermDto"][];
            /** @description The part of the entry before it in its job or session. */
            readonly previous: number;
            /** @description The part of the entry after it. */
            readonly next: number;
            /** @description The part of the entries around it, itself included. */
            readonly window: number;
            /** @description The part of its job or session as a whole. */
            readonly group: number;
            /** @description By what the sum of the parts is multiplied, and why. */
            readonly multipliers: components["schemas"]["JsonObject"];
            /** @description Only of a fact; null if nobody approved it, missing while the log cannot be read. */
            readonly approved_by?: components["schemas"]["ApprovedByDto"] | null;
        };
        readonly SearchHitDto: {
            /** @enum {string} */
            readonly kind: "episode" | "fact" | "memory_item" | "note" | "wm" | "cwm";
            /** @description The episodic_id, the key of the fact, or the id of the item or entry. */
            readonly id: string;
            readonly text: string;
            readonly score: number;
            /**
             * Format: date-time
             * @description The time that the ranking and `time_window` read. In a job whose start gave no time it is logical, and no date.
             */
            readonly time: string;
            /**
             * Format: date-time
             * @description The time to show people: the one that was given, else when it was written.
             */
            readonly shown_at: string;
            /** @description The event that put the text into memory. */
            readonly source: components["schemas"]["EventSourceDto"];
            /** @description Only for a note. */
            readonly note?: components["schemas"]["SearchNoteDto"];
            /** @description Only with `explain`. */
            readonly explanation?: components["schemas"]["SearchExplanationDto"];
        };
        readonly SearchResultDto: {
            /** @description The position in the log at which memory was searched. */
            readonly as_of: string;
            readonly ranking_version: number;
            /** @description Best first. */
            readonly hits: readonly components["schemas"]["SearchHitDto"][];
        };
        readonly WhySourceDto: {
            /** @description The type of the event. */
            readonly type: string;
            /** @description The subject of the token that caused the event. */
            readonly actor: string;
            /** Format: date-time */
            readonly recorded_at: string;
            readonly event: components["schemas"]["EventSourceDto"];
        };
        readonly WhyItemDto: {
            readonly id: string;
            /** @enum {string} */
            readonly space: "session" | "user" | "project" | "system";
            readonly owner: string;
            readonly text: string;
            /** @description The tick of the store at which the item was created. */
            readonly created_at: number;
            /** @description The number of the event that stored the item. */
            readonly stored_number: number;
            /** @description `promoted`, `superseded` or `expired`; null while the item is stored. */
            readonly deleted_reason: string | null;
            /** @description The item that took its place. */
            readonly replaced_by: string | null;
            /** @description Why the item was promoted into this space. */
            readonly promotion_reason: string | null;
            /** @description The items from which this one was made: turns, or those of a summary. */
            readonly made_from: readonly string[];
        };
        readonly WhyDto: {
            /** @enum {string} */
            readonly kind: "fact" | "episode" | "memory_item" | "note";
            readonly id: string;
            /** @description The stream that holds it. */
            readonly stream: string;
            /** @description Null for a fact that was deleted. */
            readonly source: components["schemas"]["WhySourceDto"] | null;
            /** @description The request that led to it. */
            readonly request: components["schemas"]["FactRequestDto"] | null;
            /** @description Of a fact; null if nobody approved it. */
            readonly approved_by: components["schemas"]["ApprovedByDto"] | null;
            /** @description The episode on which it rests. */
            readonly episodic_id: string | null;
            /** @description The job in which it arose. */
            readonly job_seed: string | null;
            readonly session_id: string | null;
            /** @description Of an item: the items through which it came between spaces, oldest first, itself included. */
            readonly promotions: readonly components["schemas"]["WhyItemDto"][];
        };
        readonly WhyReadDto: {
            readonly job_seed: string;
            /** @enum {string} */
            readonly kind: "sem_get" | "episodes_query" | "wm_find" | "cwm_find" | "search";
            readonly tick: number;
            readonly sem_snapshot_hash: string;
            readonly actor: string;
            readonly trace_id: string;
            /** Format: date-time */
            readonly recorded_at: string;
            readonly event: components["schemas"]["EventSourceDto"];
        };
        readonly WhyReadsPageDto: {
            /** @description Newest first. Agents and users get the reads of their own jobs. */
            readonly reads: readonly components["schemas"]["WhyReadDto"][];
            readonly next_cursor: string | null;
        };
        readonly RoutedDto: {
            readonly agent_id: string;
            /** @description The rule that matched. */
            readonly route_reason: string;
            readonly depth: number;
        };
        /** @description A wrong field of the request. */
        readonly FieldHelpDto: {
            /** @description The path of the field, such as `commands.1.count`. */
            readonly field: string;
            /** @description The rule that the field breaks. */
            readonly problem: string;
            /** @description The known name that is most like an unknown one. */
            readonly nearest?: string;
            /**
             * @description The part of the request to which the field belongs, if it stood in another.
             * @enum {string}
             */
            readonly place?: "path" | "query" | "body";
        };
        /** @description How the request can be put right. */
        readonly ErrorHelpDto: {
            /** @description The wrong fields, at most 20. */
            readonly fields?: readonly components["schemas"]["FieldHelpDto"][];
            /** @description The roles that may send the request, if the caller has none of them. */
            readonly roles?: readonly string[];
            /** @description What to do instead: a sentence, or a method with a path. */
            readonly instead?: string;
        };
        readonly EnvelopeMetaDto: {
            readonly query_id: string | null;
            /** Format: date-time */
            readonly timestamp: string;
            /** @description The request’s id in the service’s logs. */
            readonly trace_id: string;
            readonly help?: components["schemas"]["ErrorHelpDto"];
        };
        /** @description The body of every error. Some codes add fields. */
        readonly ErrorEnvelopeDto: {
            /**
             * @description A stable code to compare with, such as VERSION_CONFLICT.
             * @enum {string}
             */
            readonly error_code: "SEM_NOT_FOUND" | "SEM_WRITE_FAIL" | "MEMORY_WRITE_FAIL" | "ROUTER_NO_MATCH" | "AGENT_TIMEOUT" | "AGENT_ERROR" | "LLM_SERVICE_DOWN" | "COUNCIL_DEADLOCK" | "LOW_CONFIDENCE" | "REPAIR_LIMIT_EXCEEDED" | "INVALID_INPUT" | "PRIVACY_BLOCKED" | "PII_BLOCKED" | "CACHE_ERROR" | "LOG_INVALID" | "STORAGE_FULL" | "PERMISSION_DENIED" | "PROMOTION_LOOP" | "UNAUTHENTICATED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "JOB_EXISTS" | "JOB_ENDED" | "LOG_EXISTS" | "VERSION_CONFLICT" | "IDEMPOTENCY_MISMATCH" | "IMMUTABLE_FIELD" | "REPLAY_DIVERGENCE" | "INTEGRITY_FAILURE" | "PROJECTION_LAG" | "READ_UNAVAILABLE" | "RATE_LIMITED" | "INTERNAL";
            /** @description The HTTP status. */
            readonly status: number;
            /** @enum {string} */
            readonly severity: "info" | "warning" | "error" | "critical";
            /** @description A fixed sentence for the user. */
            readonly user_message: string;
            /** @description A fixed sentence for the developer: keys, ids and rules, never a personal value. */
            readonly developer_message: string;
            /** @description The index of the refused command of a batch, from 0, if one command was refused. */
            readonly command_index?: number;
            readonly meta: components["schemas"]["EnvelopeMetaDto"];
        };
        readonly ProposalDto: {
            readonly key: string;
            readonly value: components["schemas"]["Json"];
        };
        readonly QueryAnswerDto: {
            readonly agent_id: string;
            /** @description The rule that matched. */
            readonly route_reason: string;
            readonly answer: string;
            /** @description From 0 to 1. */
            readonly confidence: number;
            /** @description Agents that failed during the query. */
            readonly degraded: readonly string[];
            /** @description Problems that did not prevent the answer, or a warning (LOW_CONFIDENCE). */
            readonly notices: readonly components["schemas"]["ErrorEnvelopeDto"][];
            /** @description The id of the query’s signed ReflectiveLog. */
            readonly log_id: string;
            readonly job_seed: string;
            /** @description The fact that `confirm` would store. */
            readonly proposal?: components["schemas"]["ProposalDto"];
        };
        readonly OpenReviewDto: {
            readonly review_id: string;
            readonly log_id: string;
            readonly job_seed: string;
            readonly query_id: string;
            readonly final_answer: components["schemas"]["Json"];
            readonly final_confidence: number | null;
            /** Format: date-time */
            readonly requested_at: string;
            readonly requested_by: components["schemas"]["PersonDto"];
            readonly reason: string;
        };
        readonly ReviewsPageDto: {
            /** @description Oldest first. */
            readonly reviews: readonly components["schemas"]["OpenReviewDto"][];
            readonly next_cursor: string | null;
        };
        readonly WaitingWriteDto: {
            /** @description The write’s command_id. */
            readonly id: string;
            /** @description False if the entry was changed in Postgres, or sealed with another key. The fields that describe it are then null. */
            readonly verified: boolean;
            /** @description The command’s name, such as `PutFact`. */
            readonly command: string | null;
            /** @description The HTTP method and path pattern, without ids. */
            readonly route: string | null;
            /** @description The stream that the write was for. */
            readonly stream: string | null;
            /** @description Whether it has an Idempotency-Key; if so, the service replays it when the log has room. */
            readonly keyed: boolean | null;
            /** @description First 16 hex digits of sha256(sub). */
            readonly caller: string | null;
            readonly trace_id: string | null;
            /** Format: date-time */
            readonly refused_at: string | null;
            /** @description The number of failed replays. */
            readonly attempts: number;
            /** @description The error_code of the last attempt. */
            readonly last_code: string;
            /** @enum {string} */
            readonly waits_for: "room" | "person";
        };
        readonly QueuePageDto: {
            /** @description In the order of their refusal. */
            readonly entries: readonly components["schemas"]["WaitingWriteDto"][];
            readonly next_cursor: string | null;
        };
        readonly RetriedWriteDto: {
            readonly id: string;
            /** @enum {string} */
            readonly status: "written";
        };
        readonly RemovedWriteDto: {
            readonly id: string;
            /** @enum {string} */
            readonly status: "removed";
        };
        readonly StoppedAtDto: {
            readonly position: string;
            /** @description The event’s stream; `$all` if no event is the cause. */
            readonly stream: string;
            readonly number: number;
            readonly reason: string;
        };
        readonly DifferentRowsDto: {
            readonly table: string;
            /** @enum {string} */
            readonly difference: "changed" | "missing" | "extra";
            /** @description The key of the row; null for rows that are only counted. */
            readonly key: string | null;
            readonly count: number;
        };
        readonly ProjectionDto: {
            readonly name: string;
            /** @description A position in the log, in decimal; null before the first event. */
            readonly position: string | null;
            /** @description The age in seconds of the oldest event that it does not show; 0 if it shows the whole log, null if the log does not answer. */
            readonly lag_seconds: number | null;
            /** @description The place at which the read model stopped, and why. */
            readonly stopped: components["schemas"]["StoppedAtDto"] | null;
            /** @description Its new tables do not show the whole log yet. */
            readonly filling: boolean;
            /** @description A new version is being built beside it. */
            readonly rebuilding: boolean;
            /** @description The position that the new version has reached; null without a rebuild. */
            readonly rebuilt_to: string | null;
            /** @description Why it is rebuilt, if its rows came from another log. */
            readonly another_log: string | null;
            /** @description host:pid of the process that leads it or led it last. */
            readonly leader: string | null;
            /** @description Seconds since the leader’s last heartbeat. */
            readonly heartbeat_seconds_ago: number | null;
            /** @description When its rows were last compared with the log, or filled from it. */
            readonly compared_at: string | null;
            /** @description The rows that were not as the log gives them. The comparison has replaced them. */
            readonly differences: readonly components["schemas"]["DifferentRowsDto"][];
        };
        readonly ProjectionsDto: {
            readonly projections: readonly components["schemas"]["ProjectionDto"][];
            /** @description The position of the log’s last event; null if the log does not answer. */
            readonly log_end: string | null;
        };
        readonly RebuildDto: {
            readonly name: string;
            /** @enum {boolean} */
            readonly rebuilding: true;
        };
        readonly OpenIdProviderDto: {
            /** @description The issuer, whose discovery document the console reads. */
            readonly issuer: string;
            readonly client_id: string;
            readonly scope: string;
            /** @description The audience that the access token must name. */
            readonly audience: string;
        };
        readonly SignInWaysDto: {
            /** @description `mace console` can make a sign-in link, because the service has a secret of its own. */
            readonly links: boolean;
            /** @description The OpenID Connect provider, if there is one. */
            readonly openid: components["schemas"]["OpenIdProviderDto"] | null;
        };
        readonly SignedInDto: {
            /** @description The bearer token that the link carried. */
            readonly token: string;
        };
        readonly SignInLinkDto: {
            /** @description The secret of the link; it works once. */
            readonly code: string;
            /** Format: date-time */
            readonly expires_at: string;
        };
        readonly SessionDto: {
            readonly sub: string;
            readonly roles: readonly ("agent" | "user" | "council" | "admin" | "auditor")[];
            readonly user_id: string | null;
            /**
             * Format: date-time
             * @description When the token expires.
             */
            readonly expires_at: string;
        };
        readonly Propose: {
            /**
             * @description Default: `sem_put`.
             * @enum {string}
             */
            readonly kind?: "sem_put" | "sensitive_consent" | "erasure";
            /** @description `sem_put`: the episode that the proposal is based on. */
            readonly episodic_id?: string;
            /** @description `sem_put`: the key to write. */
            readonly target_sem_key?: string;
            /** @description `sem_put`: the value, at most 16 KB canonical. */
            readonly value?: components["schemas"]["Json"];
            /** @description `sensitive_consent`: the consent that shall cover sensitive data as well. */
            readonly consent_id?: string;
            /** @description `erasure`: whose data is erased, `user:<id>`, `sub:<id>`, `job:<seed>`, `request:<id>` or `fact:<key>`; of facts, only those that the council has cleared. */
            readonly subject?: string;
            /**
             * @description `erasure`: only `legal_erasure` is accepted before the retention period is over.
             * @enum {string}
             */
            readonly reason_code?: "legal_erasure" | "retention" | "other";
            readonly justification: string;
            /** @description Any objects. `{note: {namespace, key, version?}}` cites a note of the caller: its stream, version and hash are recorded. */
            readonly evidence?: readonly components["schemas"]["JsonObject"][];
        };
        /** @description A request, and the proposal that the reviewer saw. */
        readonly NamedProposalDto: {
            readonly request_id: string;
            readonly proposal_hash: string;
        };
        readonly ApproveMany: {
            readonly requests: readonly components["schemas"]["NamedProposalDto"][];
            readonly reason: string;
        };
        readonly RecheckRequests: {
            /** @description The ids of the requests. */
            readonly request_ids: readonly string[];
        };
        readonly RejectMany: {
            readonly requests: readonly components["schemas"]["NamedProposalDto"][];
            readonly reason: string;
            /** @enum {string} */
            readonly reason_code?: "untrue" | "unsupported" | "out_of_date" | "wrong_subject" | "unclear" | "personal" | "duplicate" | "manipulated" | "other";
        };
        readonly AnswerQuestion: {
            readonly answer: string;
        };
        readonly Assign: {
            /** @description The sub of a reviewer. That of another than the caller has no markup, no hidden characters and no look-alike letters. */
            readonly to: string | null;
        };
        readonly ClearSpan: {
            /** @description The hash of the proposal that the member saw. */
            readonly proposal_hash: string;
            /** @description The number of the finding in the `flagged_spans` of the dossier. */
            readonly finding: number;
            readonly reason: string;
        };
        readonly AddComment: {
            readonly text: string;
        };
        readonly Ask: {
            readonly question: string;
        };
        readonly Revise: {
            /** @description Replaces the proposed value; at most 16 KB canonical. */
            readonly value: components["schemas"]["Json"];
            readonly reason: string;
        };
        readonly Snooze: {
            /**
             * Format: date-time
             * @description Null puts it back at once.
             */
            readonly until: string | null;
        };
        readonly CastVote: {
            /** @enum {string} */
            readonly vote: "approve" | "reject" | "abstain";
            readonly reason: string;
            /**
             * @description Only with `reject`.
             * @enum {string}
             */
            readonly reason_code?: "untrue" | "unsupported" | "out_of_date" | "wrong_subject" | "unclear" | "personal" | "duplicate" | "manipulated" | "other";
            /** @description The hash of the proposal that the reviewer saw. */
            readonly proposal_hash: string;
        };
        readonly RetryWrite: Record<string, never>;
        readonly CloseCollision: {
            readonly reason: string;
        };
        readonly GiveConsent: {
            /** @description The words to which the user agrees. */
            readonly text: string;
            /**
             * @description `job`: for the data of one job; `persistent`: until it is revoked.
             * @enum {string}
             */
            readonly scope: "job" | "persistent";
            /** @description The job of a consent with scope `job`. */
            readonly job_seed?: string;
        };
        readonly RevokeConsent: Record<string, never>;
        readonly MakeLink: Record<string, never>;
        readonly UseLink: {
            /** @description The secret of the link. */
            readonly code: string;
        };
        readonly ClearConversation: {
            /** @description The change fails with VERSION_CONFLICT if the conversation has another version; 0: it must not exist. */
            readonly expected_version?: number;
        };
        readonly AppendItems: {
            /** @description The change fails with VERSION_CONFLICT if the conversation has another version; 0: it must not exist. */
            readonly expected_version?: number;
            /** @description 1 to 500 items of any JSON, each of at most 65536 bytes. */
            readonly items: readonly components["schemas"]["Json"][];
        };
        readonly PopItem: {
            /** @description The change fails with VERSION_CONFLICT if the conversation has another version; 0: it must not exist. */
            readonly expected_version?: number;
        };
        readonly ReplayConversation: {
            /** @enum {string} */
            readonly mode?: "audit" | "strict";
        };
        readonly ReplaceItems: {
            /** @description The change fails with VERSION_CONFLICT if the conversation has another version; 0: it must not exist. */
            readonly expected_version?: number;
            /** @description The caller’s id of the change. The same one again gets the first answer. */
            readonly operation_id: string;
            /** @description The index of the first item to replace. Give either this or `expected_suffix`. */
            readonly from?: number;
            /** @description The index before which the replacement ends; default: the end. */
            readonly to?: number;
            /** @description The items with which the conversation must end, and which are replaced; otherwise VERSION_CONFLICT. */
            readonly expected_suffix?: readonly components["schemas"]["Json"][];
            /** @description The items that take their place; may be empty. */
            readonly items: readonly components["schemas"]["Json"][];
        };
        readonly TimeWindow: {
            /** Format: date-time */
            readonly from?: string;
            /** Format: date-time */
            readonly to?: string;
        };
        readonly QueryEpisodes: {
            /** @description Plain words; a result has at least one of them in its summary. */
            readonly query_terms: string;
            /** @description Default 10. */
            readonly max_results?: number;
            /**
             * @description `overlap` (the default) counts common words; `relevance` ranks as a search does.
             * @enum {string}
             */
            readonly ranking?: "overlap" | "relevance";
            /** @description Bounds of created_seeded_ts, inclusive. */
            readonly time_window?: components["schemas"]["TimeWindow"];
            /** @description The user that an agent’s token without a user acts for. */
            readonly user_id?: string;
            /** @description `episodes:<hash>`, as pinned by a job. */
            readonly snapshot_id?: string;
            /** @description Reads at that job’s snapshot and records the read in the job. */
            readonly job_seed?: string;
        };
        readonly ExecuteErasure: Record<string, never>;
        readonly MakeLogCheckpoint: Record<string, never>;
        readonly CompareWithCheckpoint: Record<string, never>;
        readonly VerifyEventLog: {
            /** @description Also replays the decisions of every stream, which takes longer. */
            readonly decisions?: boolean;
            /**
             * @description From where the caller asks.
             * @enum {string}
             */
            readonly means?: "console" | "command_line";
        };
        readonly StartJob: {
            /** @description Default: a UUIDv7 that the service makes. */
            readonly job_seed?: string;
            /** @description The job starts with the CWM of the session’s last ended job. */
            readonly session_id?: string;
            readonly user_id?: string;
            /**
             * Format: date-time
             * @description Replaces the base of the seeded time.
             */
            readonly seeded_epoch?: string;
            readonly goal?: string;
            /** @description Overrides for the constants, such as `{"promotion_references": 3}`. */
            readonly constants?: components["schemas"]["JsonObject"];
        };
        readonly InsertWmCommand: {
            /** @enum {string} */
            readonly type: "fact" | "context" | "hint" | "temp";
            /** @description At most 16 KB as canonical JSON. */
            readonly value: components["schemas"]["Json"];
            /** @description In ticks; default 3. */
            readonly ttl_ticks?: number;
            /** @enum {string} */
            readonly op: "wm_insert";
        };
        readonly ReferenceWmCommand: {
            readonly wm_id: string;
            /** @enum {string} */
            readonly op: "wm_reference";
        };
        readonly ReferenceCwmCommand: {
            readonly item_id: string;
            /** @enum {string} */
            readonly op: "cwm_reference";
        };
        readonly ForgetWmCommand: {
            readonly wm_id: string;
            /** @enum {string} */
            readonly op: "wm_forget";
        };
        readonly ForgetCwmCommand: {
            readonly item_id: string;
            /** @enum {string} */
            readonly op: "cwm_forget";
        };
        readonly TickCommand: {
            readonly count?: number;
            /** @enum {string} */
            readonly op: "tick";
        };
        readonly SetGoalCommand: {
            readonly goal: string;
            /** @enum {string} */
            readonly op: "goal";
        };
        readonly WriteEpisodeCommand: {
            /** @description Queries search this text. */
            readonly summary: string;
            /** @description At most 256 KB as canonical JSON. */
            readonly payload?: components["schemas"]["Json"];
            readonly evidence?: readonly components["schemas"]["JsonObject"][];
            /** @enum {string} */
            readonly source?: "agent" | "executor" | "brainstate";
            /** @enum {string} */
            readonly op: "episodic_write";
        };
        /** @description A runtime’s own account of what it did: handed over with a job’s end, or part of a posted log. */
        readonly LogAccountDto: {
            /** @enum {string} */
            readonly source: "system" | "user_request" | "api";
            readonly query_id: string;
            /** @description 64 hex digits; preferably a keyed hash, because a plain hash of a short text can be guessed. */
            readonly query_text_hash: string;
            readonly qcp_summary: components["schemas"]["JsonObject"];
            readonly agents_invoked: readonly string[];
            readonly agent_outputs: readonly components["schemas"]["AgentOutputDto"][];
            readonly council_votes: readonly components["schemas"]["CouncilVoteDto"][];
            readonly final_answer: components["schemas"]["Json"];
            /** @description 0..1, or null if no agent answered. */
            readonly final_confidence: number | null;
            readonly repair_loops: number;
            readonly cache_hit: boolean;
            readonly runtime_metrics: components["schemas"]["JsonObject"];
            readonly system_version: string;
        };
        readonly EndJobCommand: {
            /** @description The runtime’s own log of the job; an invalid log is refused with LOG_INVALID. */
            readonly reflective_log?: components["schemas"]["LogAccountDto"];
            /** @enum {string} */
            readonly op: "end";
        };
        readonly RunBatch: {
            readonly expected_version?: number;
            /** @description The commands run in order; all are recorded, or none. */
            readonly commands: readonly (components["schemas"]["InsertWmCommand"] | components["schemas"]["ReferenceWmCommand"] | components["schemas"]["ReferenceCwmCommand"] | components["schemas"]["ForgetWmCommand"] | components["schemas"]["ForgetCwmCommand"] | components["schemas"]["TickCommand"] | components["schemas"]["SetGoalCommand"] | components["schemas"]["WriteEpisodeCommand"] | components["schemas"]["EndJobCommand"])[];
        };
        readonly FindCwm: {
            /** @description JSON Pointer → the required value at that place. */
            readonly equals?: components["schemas"]["JsonObject"];
            readonly exists?: readonly string[];
            readonly absent?: readonly string[];
        };
        readonly ReferenceCwm: {
            readonly expected_version?: number;
        };
        readonly EndJob: {
            readonly expected_version?: number;
            /** @description The runtime’s own log of the job; an invalid log is refused with LOG_INVALID. */
            readonly reflective_log?: components["schemas"]["LogAccountDto"];
        };
        readonly WriteEpisode: {
            readonly expected_version?: number;
            /** @description Queries search this text. */
            readonly summary: string;
            /** @description At most 256 KB as canonical JSON. */
            readonly payload?: components["schemas"]["Json"];
            readonly evidence?: readonly components["schemas"]["JsonObject"][];
            /** @enum {string} */
            readonly source?: "agent" | "executor" | "brainstate";
        };
        readonly SetGoal: {
            readonly expected_version?: number;
            readonly goal: string;
        };
        readonly ReplayJob: {
            /** @enum {string} */
            readonly mode?: "audit" | "strict";
        };
        readonly Tick: {
            readonly expected_version?: number;
            readonly count?: number;
        };
        readonly InsertWm: {
            readonly expected_version?: number;
            /** @enum {string} */
            readonly type: "fact" | "context" | "hint" | "temp";
            /** @description At most 16 KB as canonical JSON. */
            readonly value: components["schemas"]["Json"];
            /** @description In ticks; default 3. */
            readonly ttl_ticks?: number;
        };
        readonly FindWm: {
            /** @description JSON Pointer → the required value at that place. */
            readonly equals?: components["schemas"]["JsonObject"];
            readonly exists?: readonly string[];
            readonly absent?: readonly string[];
        };
        readonly ReferenceWm: {
            readonly expected_version?: number;
        };
        readonly ReplayMemories: {
            /** @description The person, for an agent’s token without a user; default: the token’s user, or else the agent itself. Auditors, admins and the council read others’ memories, redacted. */
            readonly user_id?: string;
            /** @enum {string} */
            readonly mode?: "audit" | "strict";
        };
        readonly RewordMemory: {
            /** @description The new text. */
            readonly text: string;
            /** @description Fails with VERSION_CONFLICT if the memory has another version. */
            readonly if_version?: number;
            /** @description The tags from now on; default: the present ones. */
            readonly tags?: readonly string[];
            /** @description The person, for an agent’s token without a user; default: the token’s user, or else the agent itself. Auditors, admins and the council read others’ memories, redacted. */
            readonly user_id?: string;
        };
        readonly MemorySettingsDto: {
            /** @description Turns in the short-term window. */
            readonly short_term: number;
            readonly semantic: boolean;
            readonly profile: boolean;
        };
        readonly RetentionRuleDto: {
            /** @enum {string} */
            readonly mode: "never" | "ttl" | "decay";
            /** @description Default: the ticks that `forget_policy` has for the mode and the type. */
            readonly ttl_ticks?: number;
        };
        readonly KindRetentionDto: {
            readonly default?: components["schemas"]["RetentionRuleDto"];
            readonly context?: components["schemas"]["RetentionRuleDto"];
            readonly correction?: components["schemas"]["RetentionRuleDto"];
            readonly decision?: components["schemas"]["RetentionRuleDto"];
            readonly execution?: components["schemas"]["RetentionRuleDto"];
            readonly fact?: components["schemas"]["RetentionRuleDto"];
            readonly preference?: components["schemas"]["RetentionRuleDto"];
        };
        readonly MemoryRetentionDto: {
            readonly short_term?: components["schemas"]["KindRetentionDto"];
            readonly semantic?: components["schemas"]["KindRetentionDto"];
            readonly profile?: components["schemas"]["KindRetentionDto"];
        };
        readonly KindPromotionDto: {
            readonly allowed_event_types: readonly ("context" | "correction" | "decision" | "execution" | "fact" | "preference")[];
        };
        readonly MemoryPromotionDto: {
            readonly short_term?: components["schemas"]["KindPromotionDto"];
            readonly semantic?: components["schemas"]["KindPromotionDto"];
            readonly profile?: components["schemas"]["KindPromotionDto"];
        };
        readonly SpacePromotionDto: {
            /** @enum {string} */
            readonly from_space: "session" | "user" | "project" | "system";
            /** @enum {string} */
            readonly to_space: "session" | "user" | "project" | "system";
            readonly allowed_event_types: readonly ("context" | "correction" | "decision" | "execution" | "fact" | "preference")[];
            /** @enum {string} */
            readonly min_authority: "system_imposed" | "tool_verified" | "user_asserted" | "ai_inferred";
            readonly decision_override: boolean;
        };
        readonly SpacesDto: {
            readonly read_order?: readonly ("session" | "user" | "project" | "system")[];
            readonly write_spaces?: readonly ("session" | "user" | "project" | "system")[];
            readonly promotions?: readonly components["schemas"]["SpacePromotionDto"][];
        };
        readonly PrivacyDto: {
            readonly deny_patterns?: readonly string[];
            readonly allow_profile_keys?: readonly string[];
            readonly deny_sensitive?: boolean;
        };
        readonly PolicyDto: {
            /**
             * @description Default `normal`: everything except plain context becomes a semantic item.
             * @enum {string}
             */
            readonly write_policy?: "none" | "minimal" | "normal" | "aggressive";
            /**
             * @description Default `decay`: items expire by type, after 12 to 60 ticks. `ttl`: after 25 ticks.
             * @enum {string}
             */
            readonly forget_policy?: "never" | "ttl" | "decay";
            /** @description If not empty, only these types are written. */
            readonly allow_event_types?: readonly ("context" | "correction" | "decision" | "execution" | "fact" | "preference")[];
            readonly deny_event_types?: readonly ("context" | "correction" | "decision" | "execution" | "fact" | "preference")[];
            /** @description Rules for a kind and an event type; they override `forget_policy`. */
            readonly retention?: components["schemas"]["MemoryRetentionDto"];
            /** @description The types that may become items of a kind. */
            readonly promotion?: components["schemas"]["MemoryPromotionDto"];
            /** @description All authorities, from the highest to the lowest; it decides conflicts. */
            readonly authority_order?: readonly ("system_imposed" | "tool_verified" | "user_asserted" | "ai_inferred")[];
            readonly allow_cross_phase_recall?: boolean;
            /** @description The number of phases that keep their ledgers; default: all. */
            readonly max_phases?: number;
            readonly phase_enabled?: boolean;
            readonly diff_enabled?: boolean;
            /**
             * @description How a recall ranks semantic items: `overlap` (the default), or `relevance`, as a search does.
             * @enum {string}
             */
            readonly ranking?: "overlap" | "relevance";
            readonly spaces?: components["schemas"]["SpacesDto"];
            readonly privacy?: components["schemas"]["PrivacyDto"];
        };
        readonly PhaseDto: {
            /** @description A token that differs from the last one starts a phase. */
            readonly token: string;
            readonly name?: string;
            readonly reason?: string;
        };
        readonly TextAlteredDto: {
            /** @description Characters that were replaced. */
            readonly replaced: number;
            /** @description Characters that were cut. */
            readonly cut: number;
        };
        readonly ToolEventsAlteredDto: {
            /** @description Characters that were replaced. */
            readonly replaced: number;
            /** @description Characters that were cut. */
            readonly cut: number;
            /** @description Entries that were left out. */
            readonly left_out: number;
        };
        readonly TurnAlteredDto: {
            readonly user_text?: components["schemas"]["TextAlteredDto"];
            readonly ai_text?: components["schemas"]["TextAlteredDto"];
            readonly tool_events?: components["schemas"]["ToolEventsAlteredDto"];
        };
        readonly PhaseDiffDto: {
            readonly from: string;
            readonly to: string;
            /**
             * @description Default `session`.
             * @enum {string}
             */
            readonly space?: "session" | "user" | "project" | "system";
        };
        readonly RecordMemory: {
            /** @description Shown as `ai_profile` in every trace. */
            readonly assistant: string;
            readonly session_id: string;
            /** @description Without a user_id, the session takes the user’s place. */
            readonly user_id?: string;
            /** @description An absolute POSIX path. Without it, the request uses no project store. */
            readonly project_root?: string;
            readonly memory: components["schemas"]["MemorySettingsDto"];
            readonly policy?: components["schemas"]["PolicyDto"];
            readonly phase?: components["schemas"]["PhaseDto"];
            readonly user_text: string;
            readonly ai_text: string;
            /** @description At most 64 KiB as canonical JSON. */
            readonly tool_events?: readonly components["schemas"]["Json"][];
            /** @description What the caller replaced or cut to store the turn. It is recorded, and no item. */
            readonly turn_altered?: components["schemas"]["TurnAlteredDto"];
            readonly phase_diff?: components["schemas"]["PhaseDiffDto"];
        };
        readonly RecallMemory: {
            /** @description Shown as `ai_profile` in every trace. */
            readonly assistant: string;
            readonly session_id: string;
            /** @description Without a user_id, the session takes the user’s place. */
            readonly user_id?: string;
            /** @description An absolute POSIX path. Without it, the request uses no project store. */
            readonly project_root?: string;
            readonly memory: components["schemas"]["MemorySettingsDto"];
            readonly policy?: components["schemas"]["PolicyDto"];
            readonly phase?: components["schemas"]["PhaseDto"];
            readonly query: string;
            /** @description False: no trace is answered, and nothing is recorded where nothing changed. Default true. */
            readonly trace?: boolean;
        };
        readonly PutNote: {
            /** @description `user:<id>`, or `sub:<sub of an agent without a user>`; default: the caller. Only auditors, admins and the council read others’ notes, in which personal data is redacted. */
            readonly owner?: string;
            /** @description 1 to 16 components of at most 128 characters. */
            readonly namespace: readonly string[];
            readonly key: string;
            /** @description At most 64 KB as canonical JSON. */
            readonly value: components["schemas"]["Json"];
            /** @description The put fails with VERSION_CONFLICT if the note has another version; 0: it must not exist. */
            readonly if_version?: number;
            /** @description The note expires so many seconds after this put. Default: never. */
            readonly ttl_seconds?: number;
        };
        readonly ReadNoteHistory: {
            /** @description `user:<id>`, or `sub:<sub of an agent without a user>`; default: the caller. Only auditors, admins and the council read others’ notes, in which personal data is redacted. */
            readonly owner?: string;
            /** @description The components in order. */
            readonly namespace?: readonly string[];
            readonly key?: string;
            /** @description The note’s stream, in place of namespace and key. */
            readonly stream?: string;
            /** @description The versions in a page; default: 20. */
            readonly limit?: number;
            /** @description The next_cursor of the previous page. */
            readonly cursor?: number;
        };
        readonly ListNotes: {
            /** @description `user:<id>`, or `sub:<sub of an agent without a user>`; default: the caller. Only auditors, admins and the council read others’ notes, in which personal data is redacted. */
            readonly owner?: string;
            /** @description Only notes whose namespace begins with these components. Default: all. */
            readonly prefix?: readonly string[];
            /** @description The most components that a namespace may have beyond the prefix. Default: any. */
            readonly depth?: number;
            /** @description JSON Pointer into the value → conditions, such as `{"/color": {"eq": "red"}}`; one of eq, ne, gt, gte, lt, lte. */
            readonly filter?: components["schemas"]["JsonObject"];
            /** @description The notes in a page; default: 100. */
            readonly limit?: number;
            /** @description The next_cursor of the previous page. */
            readonly cursor?: string;
        };
        readonly ListNamespaces: {
            /** @description `user:<id>`, or `sub:<sub of an agent without a user>`; default: the caller. Only auditors, admins and the council read others’ notes, in which personal data is redacted. */
            readonly owner?: string;
            /** @description The first components; `*` stands for any one. */
            readonly prefix?: readonly string[];
            /** @description The last components; `*` stands for any one. */
            readonly suffix?: readonly string[];
            /** @description Longer namespaces are cut to so many components. Default: they are not cut. */
            readonly max_depth?: number;
            /** @description The namespaces in a page; default: 100. */
            readonly limit?: number;
            /** @description The next_cursor of the previous page. */
            readonly cursor?: string;
        };
        readonly ReplayNote: {
            /** @description `user:<id>`, or `sub:<sub of an agent without a user>`; default: the caller. Only auditors, admins and the council read others’ notes, in which personal data is redacted. */
            readonly owner?: string;
            /** @description The components in order. */
            readonly namespace?: readonly string[];
            readonly key?: string;
            /** @description The note’s stream, in place of namespace and key. */
            readonly stream?: string;
            /** @enum {string} */
            readonly mode?: "audit" | "strict";
        };
        readonly RebuildProjection: Record<string, never>;
        readonly AskQuery: {
            /** @description A text that the privacy gate flags is refused with PRIVACY_BLOCKED. */
            readonly query_text: string;
            /** @description The user who asks; only an agent whose token names no user may set it. */
            readonly user_id?: string;
            /** @description The seed of the query’s job; a used seed is refused with JOB_EXISTS. Default: a new UUIDv7. */
            readonly job_seed?: string;
            /** @description The `log_id` of an earlier answer: stores the fact that it proposed, if the token is the user’s own, or requests a review. */
            readonly confirm?: string;
            /** @description At most 4 KB; no routing rule reads them. */
            readonly context_tags?: components["schemas"]["JsonObject"];
            /** @description Overrides for the constants, such as `agent_timeout_ms` in milliseconds. */
            readonly constants?: components["schemas"]["JsonObject"];
        };
        readonly RecallMemories: {
            /** @description Words, in any form; default: the newest. */
            readonly query?: string;
            /** @description The person, for an agent’s token without a user; default: the token’s user, or else the agent itself. Auditors, admins and the council read others’ memories, redacted. */
            readonly user_id?: string;
            /** @description The most memories; default: 10. */
            readonly limit?: number;
            /** @description The most characters of the text; default: 4,000. */
            readonly max_chars?: number;
            /** @description Only memories that have all these tags. */
            readonly tags?: readonly string[];
            /** @description True: public facts and episodes as well. */
            readonly shared?: boolean;
            /** @description The position in the log; default: its end. */
            readonly as_of?: string;
            /** @description Reads what the log held at this time, or at this position. Not together with as_of. See `GET /v1/positions`. */
            readonly at?: string;
            /** @description The job that records what was recalled. */
            readonly record_in?: string;
        };
        readonly VerifyLogs: Record<string, never>;
        readonly AmendLog: {
            /** @description The corrections or the new evidence; at most 64 KB canonical. */
            readonly changes: components["schemas"]["JsonObject"];
            /** @enum {string} */
            readonly effect: "note" | "override_suggestion" | "revalidate";
        };
        readonly GiveFeedback: {
            readonly rating?: number;
            readonly comment?: string;
        };
        readonly LabelLog: {
            /** @description The ground truth; at most 64 KB canonical. */
            readonly ground_truth_label: components["schemas"]["Json"];
        };
        readonly RequestReview: {
            readonly reason: string;
        };
        readonly TagLog: {
            readonly audit_tags: readonly string[];
        };
        readonly RememberMemory: {
            /** @description One memory, kept as it is. */
            readonly text?: string;
            /** @description In place of text: what the person said, of which what lasts is kept. */
            readonly said?: string;
            /** @description The person, for an agent’s token without a user; default: the token’s user, or else the agent itself. Auditors, admins and the council read others’ memories, redacted. */
            readonly user_id?: string;
            /** @description Words of your own by which a recall or a list may choose. */
            readonly tags?: readonly string[];
            /** @description The memories lapse after so many seconds. Default: never. */
            readonly expires_in?: number;
        };
        readonly RouteQuery: {
            readonly query_text: string;
            readonly user_id?: string;
            /** @description At most 4 KB; no routing rule reads them. */
            readonly context_tags?: components["schemas"]["JsonObject"];
        };
        readonly SearchMemory: {
            /** @description Words, in any form. A hit has each phrase in quotes, and no word or phrase with a minus sign before it. */
            readonly query: string;
            /** @description Default: all kinds. */
            readonly kinds?: readonly ("episode" | "fact" | "memory_item" | "note" | "wm" | "cwm")[];
            /** @description Finds only what is in this job. */
            readonly job_seed?: string;
            /** @description Finds only what is in this session. */
            readonly session_id?: string;
            /**
             * @description Finds only items of this space of the Memory Contract.
             * @enum {string}
             */
            readonly space?: "session" | "user" | "project" | "system";
            /** @description Finds only notes in this namespace or below it. */
            readonly namespace?: readonly string[];
            /** @description Bounds of the hits’ `time`, inclusive. It may be logical, which is no date. */
            readonly time_window?: components["schemas"]["TimeWindow"];
            /** @description Bounds of the clock when the hits were written, inclusive. */
            readonly recorded_window?: components["schemas"]["TimeWindow"];
            /** @description The position in the log at which memory is searched. The same search at the same position always gives the same answer. */
            readonly as_of?: string;
            /** @description Reads what the log held at this time, or at this position. Not together with as_of. See `GET /v1/positions`. */
            readonly at?: string;
            /** @description Default 10. */
            readonly max_results?: number;
            /** @description Shows what each hit’s score is made of, and who approved a fact. */
            readonly explain?: boolean;
            /** @description The job that records what was found, because it may decide on it. */
            readonly record_in?: string;
            /** @description The version of the ranking; by default the latest. */
            readonly ranking_version?: number;
            /** @description False if quotes and minus signs in the query are only signs; default true. */
            readonly operators?: boolean;
            /** @description The user that an agent’s token without a user acts for. */
            readonly user_id?: string;
            /** @description The root of the project whose memory is searched as well. */
            readonly project_root?: string;
        };
        readonly ResolveAlias: {
            readonly text: string;
            readonly user_id?: string;
        };
        readonly ClaimKey: {
            readonly scope: string;
            readonly entity_type: string;
            /** @description A title in a person’s words. */
            readonly entity_id?: string;
            readonly attribute: string;
            readonly user_id?: string;
        };
        readonly PutFact: {
            /** @description At most 16 KB as canonical JSON. */
            readonly value: components["schemas"]["Json"];
            /**
             * Format: date-time
             * @description The put with the latest timestamp wins. Default: the service’s clock.
             */
            readonly timestamp?: string;
            /** @description If sent, it must equal the source that the token gives. */
            readonly source?: string;
            readonly notes?: string;
            /** @description Metadata of the fact, such as trust and provenance_id. */
            readonly meta?: components["schemas"]["JsonObject"];
            /** @description Equivalent to the header Idempotency-Key. */
            readonly idempotency_token?: string;
        };
        readonly ReplayAnyStream: {
            /** @description The name of the stream, such as `request-<id>`, `session-<id>` or `sem-<key>`. */
            readonly stream: string;
            /** @enum {string} */
            readonly mode?: "audit" | "strict";
        };
        readonly PutCheckpoint: {
            /** @description The id that the caller chose. It is not personal data. */
            readonly thread_id: string;
            /** @description The namespace of a subgraph; default: the graph itself, "". */
            readonly namespace?: string;
            readonly checkpoint_id: string;
            /** @description The checkpoint from which the step began. */
            readonly parent_checkpoint_id?: string;
            /** @description The checkpoint without the versions and values of its channels. */
            readonly checkpoint: components["schemas"]["JsonObject"];
            readonly metadata: components["schemas"]["JsonObject"];
            /** @description The version of each channel, a number or a text. */
            readonly channel_versions: components["schemas"]["JsonObject"];
            /** @description The values that this step has changed, by channel. The service finds the others under the same versions. */
            readonly channel_values: components["schemas"]["JsonObject"];
            /** @description The channels that this step has emptied. */
            readonly empty_channels?: readonly string[];
        };
        readonly ListCheckpoints: {
            /** @description The id that the caller chose. It is not personal data. */
            readonly thread_id?: string;
            /** @description Default: all namespaces. */
            readonly namespace?: string;
            readonly checkpoint_id?: string;
            /** @description Only checkpoints whose ids were first put before this one. */
            readonly before?: string;
            /** @description Only checkpoints whose metadata has these values. Metadata that contains personal data matches no filter. */
            readonly filter?: components["schemas"]["JsonObject"];
            /** @description Default: 20. A page of large checkpoints has fewer. */
            readonly limit?: number;
            readonly cursor?: string;
            /** @description For auditors, admins and the council: whose threads to read, `user:<id>` or `sub:<sub of an agent without a user>`. */
            readonly owner?: string;
            /**
             * @description Shows sealed personal data, to admins and the council only. Each such read is recorded in their audit stream.
             * @enum {string}
             */
            readonly unredacted?: "true";
        };
        readonly ReplayThread: {
            /** @description The id that the caller chose. It is not personal data. */
            readonly thread_id: string;
            /** @description The namespace of a subgraph; default: the graph itself, "". */
            readonly namespace?: string;
            /** @description For auditors, admins and the council: whose threads to read, `user:<id>` or `sub:<sub of an agent without a user>`. */
            readonly owner?: string;
            /** @enum {string} */
            readonly mode?: "audit" | "strict";
        };
        readonly WriteDto: {
            /** @description The place in the task’s writes. A write with a negative index replaces the earlier one; any other is made once. */
            readonly index: number;
            readonly channel: string;
            readonly value: components["schemas"]["Json"];
        };
        readonly PutWrites: {
            /** @description The id that the caller chose. It is not personal data. */
            readonly thread_id: string;
            /** @description The namespace of a subgraph; default: the graph itself, "". */
            readonly namespace?: string;
            readonly checkpoint_id: string;
            readonly task_id: string;
            /** @description The place of the task in its step. */
            readonly task_path?: string;
            readonly writes: readonly components["schemas"]["WriteDto"][];
        };
        readonly Json: Json;
        readonly JsonObject: JsonObject;
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
