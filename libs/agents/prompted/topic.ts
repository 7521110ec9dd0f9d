const QUESTION_WORDS =
  /^(what is|what are|who is|who was|when was|where is|define|explain (?:what|who|why)|look up|find|search for)\b/i;
const ARTICLE = /^(a|an|the) /i;

/**
 * Returns the subject of a question as a title: "What is the speed of light?" → "speed of light"; '' if
 * the question has no subject.
 */
export function topicOf(text: string): string {
  const folded = text.replace(/\s+/g, ' ').trim();
  const rest = folded.replace(QUESTION_WORDS, '').trim();
  return rest
    .replace(ARTICLE, '')
    .replace(/[?.!]$/, '')
    .trim();
}
