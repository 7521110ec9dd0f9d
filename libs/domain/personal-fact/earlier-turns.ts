/** Verbs for what people do in a turn of a conversation, also as they stand after “did you”. */
const SAID =
  'agree(?:d)?|ask(?:ed)?|answer(?:ed)?|conclude(?:d)?|cover(?:ed)?|decide(?:d)?|discuss(?:ed|ing)?|give|gave|list(?:ed)?|mention(?:ed)?|paste(?:d)?|promise(?:d)?|quote(?:d)?|recommend(?:ed)?|reply|replied|said|say(?:ing)?|settle(?:d)?|speak|spoke|spoken|stop(?:ped)?|suggest(?:ed)?|talk(?:ed|ing)?|tell|told|type(?:d)?|write|wrote|written';

/**
 * Questions for what was said, written, decided or agreed before (SPEC A5), in plain words. Each
 * names the conversation, or somebody who takes part in it.
 */
export const EARLIER: readonly RegExp[] = [
  new RegExp(`\\b(?:did|have|had|were|was) (?:i|we|you)(?: \\w+)?(?: \\w+)? (?:${SAID})\\b`),
  new RegExp(
    `\\b(?:what|which|who|where|when|how|that|thing|way|everything|as|of) (?:it )?(?:was )?(?:i|we|you)(?: have| had)?(?: just| already)? (?:${SAID})\\b`,
  ),
  new RegExp(
    `\\b(?:i|we|you) (?:${SAID}) (?:\\S+ ){0,6}(?:earlier|before|yesterday|previously|ago|last)\\b`,
  ),
  /\byou (?:have |had |just |already )?(?:said|told|mentioned|promised|recommended|suggested|wrote)\b/,
  /\b(?:told|asked|gave) you\b/,
  /\bearlier (?:i|we|you)\b|\bwhere (?:did )?we (?:were|left|leave|stop)|\bwhere were we\b/,
  /\b(?:previous|earlier|(?:my|our|your) (?:first|second|third|last|other)) (?:answer|message|question|reply|turn)s?\b/,
  /\b(?:our|this|last|previous|earlier|yesterday's) (?:\w+ )?(?:chat|conversation|discussion|session)\b(?! history)/,
  /^(?:what|which)(?: \w+)? (?:was|were|has been|had been|have been) (?:already )?(?:said|told|decided|agreed|discussed|mentioned|settled)(?:$| (?:about|on|before|earlier|so far|already|for|last)\b)/,
  /^(?:what|which|who|when|where|how) did\b.*\b(?:say|tell|decide|agree|discuss|mention|write) (?:earlier|before|yesterday|last time|just now|so far)$/,
  /\bcame before this\b|^(?:what|which) was the \w+ (?:again|in the end)\b/,
  /\bi think i mentioned\b|\bi (?:\w+ ){1,5}(?:to|with) you (?:about|before|earlier|in|last|on|once|yesterday)\b/,
  /\bturns? ago\b/,
];

/** True if plain words ask for an earlier turn of the conversation. */
export const isAboutEarlier = (words: string): boolean =>
  EARLIER.some((pattern) => pattern.test(words));
