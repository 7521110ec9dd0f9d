/**
 * The summary of a query's plan that logs show (002 §A). Stage-0 has one level and finds no query urgent.
 * @param route_reason null if no rule matched
 */
export const qcpSummary = (route_reason: RouteReason | null) => ({
  depth_level: 1,
  intent_tags: route_reason === null ? [] : [route_reason],
  urgency: 'normal' as const,
});

/** The agents to which a query can be routed (002 §Router 2). */
export const AGENT_IDS = [
  'math_agent',
  'knowledge_agent',
  'profile_agent',
  'creative_agent',
  'strategy_agent',
  'operational_agent',
  'generic_agent',
  'verification_agent',
] as const;
export type AgentId = (typeof AGENT_IDS)[number];

/** The reasons for a route, in the order in which the rules are tried. These strings never change (SPEC R1). */
export const ROUTE_REASONS = [
  'profile_lookup',
  'math_detect',
  'fact_lookup',
  'command',
  'creative',
  'strategy',
  'search',
  'fallback',
] as const;
export type RouteReason = (typeof ROUTE_REASONS)[number];

export interface RouterRule {
  readonly route_reason: RouteReason;
  readonly agent_id: AgentId;
  /** The patterns; the trimmed text must match all of them. */
  readonly patterns: readonly RegExp[];
  /** True if the rule applies only to queries with a user_id. */
  readonly needs_user: boolean;
}

const rule = (
  route_reason: RouteReason,
  agent_id: AgentId,
  patterns: readonly RegExp[],
  needs_user = false,
): RouterRule => ({ route_reason, agent_id, patterns, needs_user });

/** The rules of 002 §Router 6, pattern by pattern and in its order. The first rule that matches wins (SPEC R1). */
export const ROUTER_RULES: readonly RouterRule[] = [
  rule(
    'profile_lookup',
    'profile_agent',
    [/\bmy\b/i, /(favorite|favourite|profile|name|birthday|address|phone)/i],
    true,
  ),
  rule('math_detect', 'math_agent', [
    /(\d+|\+|-|\*|\/|\^|=|integrat|differentiat|derivative|solve|calculate|compute|∫|dx|Σ|sum)/i,
  ]),
  rule('fact_lookup', 'knowledge_agent', [
    /^(what is|who is|when was|where is|define|explain (what|who|why))/i,
  ]),
  rule('command', 'operational_agent', [
    /^(set|save|remember|create|delete|schedule|send|open)\b/i,
  ]),
  rule('creative', 'creative_agent', [
    /(write a|poem|story|compose|lyrics|song|slogan|ad copy|joke)/i,
  ]),
  rule('strategy', 'strategy_agent', [
    /(plan|roadmap|strategy|best way to|how to start|optimi[sz]e|design a)/i,
  ]),
  rule('search', 'knowledge_agent', [/(search|look up|find|cite|source|links|news about)/i]),
  rule('fallback', 'generic_agent', []),
];
