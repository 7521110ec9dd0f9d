/** Verbs for what people do in a turn of a conversation: as they stand after “did you”, and of the past. */
const SAY =
  'agree|ask|answer|choose|conclude|cover|decide|discuss|give|list|mention|paste|promise|quote|recommend|reply|say|settle|speak|stop|suggest|talk|tell|type|write';
const SAID =
  'agreed|asked|answered|brainstormed|chose|collected|concluded|covered|decided|dictated|discussed|discussing|drafted|gave|listed|mentioned|noted|pasted|picked|planned|promised|quoted|recommended|replied|said|saved|saying|settled|spoke|spoken|stopped|suggested|talked|talking|told|typed|wrote|written';
/** Verbs in the past: those of a conversation, some irregular ones, and all that end in “ed” but for a few. */
const DID = `${SAID}|came|drew|found|made|put|sent|set|showed|went|(?!need|feed|allowed|based|interested|supposed|tired|used)\\w+ed`;
const ADVERBS = '(?:(?:have|had|would|just|already|also|once|both|together) )*';

/**
 * Questions for what was said, written, decided or agreed before (SPEC A5), in plain words. Each
 * names the conversation, or somebody who takes part in it.
 */
export const EARLIER: readonly RegExp[] = [
  new RegExp(`\\b(?:did|have|had|were|was) (?:i|we)(?: \\w+)?(?: \\w+)? (?:${SAY}|${SAID})\\b`),
  /\b(?:did|had) you (?!ever\b|know\b|hear\b|like\b|see\b)\w/,
  new RegExp(`\\b(?:have|were) you (?:${ADVERBS})(?:${SAID})\\b`),
  new RegExp(
    `\\b(?:what|which|who|where|when|how|that|thing|way|everything|as|of) (?:it )?(?:was )?(?:i|we) ${ADVERBS}(?:${SAID})\\b`,
  ),
  new RegExp(
    `\\b(?:i|we) (?:${SAID}) (?:\\S+ ){0,6}(?:earlier|before|yesterday|previously|ago|last)\\b`,
  ),
  new RegExp(`\\b(?:you(?: and (?:i|me))?|(?:i|me) and you) ${ADVERBS}(?:${DID}|took)\\b`),
  new RegExp(
    `\\b(?:i|we) ${ADVERBS}(?!hoped|liked|loved|needed|wanted)(?:${DID}) (?:\\S+ ){0,4}you\\b`,
  ),
  /\b(?:told|asked|gave) you\b/,
  /\bearlier (?:i|we|you)\b|\bwhere (?:did )?we (?:were|left|leave|stop)|\bwhere were we\b/,
  /\b(?:previous|earlier|(?:my|our|your) (?:first|second|third|last|other)) (?:answer|message|question|reply|turn)s?\b/,
  /\b(?:our|this|last|previous|earlier|yesterday's) (?:\w+ )?(?:chat|conversation|discussion|session)\b(?! history)/,
  /^(?:what|which)(?: \w+)? (?:was|were|has been|had been|have been) (?:already )?(?:said|told|decided|agreed|discussed|mentioned|settled)(?:$| (?:about|on|before|earlier|so far|already|for|last)\b)/,
  /^(?:what|which|who|when|where|how) did\b.*\b(?:say|tell|decide|agree|discuss|mention|write) (?:earlier|before|yesterday|last time|just now|so far)$/,
  /\bcame before this\b|^(?:what|which) was the \w+ (?:again|in the end)\b/,
  /\bi think i mentioned\b|\bi (?:\w+ ){1,5}(?:to|with) you (?:about|before|earlier|in|last|on|once|yesterday)\b/,
  /\bturns? ago\b|\bfrom (?:above|before|earlier|last time)(?: \w+){0,3}$|^(?:what|which|who|where|when) (?:was|were) .*\bagain$/,
];

/** True if plain words ask for an earlier turn of the conversation. */
export const isAboutEarlier = (words: string): boolean =>
  EARLIER.some((pattern) => pattern.test(words));
