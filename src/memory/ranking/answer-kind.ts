/** A question in English says what its answer looks like: a person, a time, a number, a reason. */
const NUMBER =
  '(?:\\d|\\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|fifty|hundred|thousand|once|twice|half)\\b)';
const PERIOD =
  '\\b(?:second|minute|min|hour|day|night|week|month|quarter|year)s?\\b|\\b\\d+ ?(?:s|ms|min|h|d)\\b|\\b(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly)\\b';
const DAY =
  '\\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\\b|\\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\\b|\\b(?:morning|noon|afternoon|evening|night|midnight|today|tomorrow|yesterday|weekend)s?\\b|\\b(?:19|20)\\d\\d\\b|\\b\\d{1,2}:\\d\\d\\b';

const KINDS: readonly { readonly asked: RegExp; readonly given: RegExp }[] = [
  // A name that is not the first word of a sentence, or one that starts it and acts.
  {
    asked: /\b(?:who|whom|whose|which (?:person|colleague|customer|client|company))\b/i,
    given: /(?<=[^.!?\s]\s+)\p{Lu}\p{Ll}+|^\p{Lu}\p{Ll}+ (?:\p{Lu}|is|has|was|\p{Ll}+s\b)/u,
  },
  {
    asked: /\b(?:when|what (?:time|day|date|hour)|which (?:day|date|month|week)|since when|until when)\b/i,
    given: new RegExp(DAY, 'i'),
  },
  { asked: /\bhow (?:long|often|frequently)\b/i, given: new RegExp(`${PERIOD}|${DAY}`, 'i') },
  {
    asked: /\bhow (?:much|many|big|large|far|old|high|fast)\b|\b(?:cost|price|number)\b/i,
    given: new RegExp(NUMBER, 'i'),
  },
  {
    asked: /\b(?:why|how come|reason|cause|caused)\b/i,
    given: /\b(?:because|since|so that|due to|therefore|reason|cause[ds]?|otherwise|would)\b|:\s|;/i,
  },
];

/** Whether the text has what the question asks for; undefined if the question does not say. */
export function hasAnswer(question: string, text: string): boolean | undefined {
  const kind = KINDS.find(({ asked }) => asked.test(question));
  return kind?.given.test(text);
}
