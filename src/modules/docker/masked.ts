import { redactNamed } from '../../kernel/redact.ts';

const GONE = '[redacted]';

const SECRET = String.raw`[\w.-]{0,60}(?:passw(?:or)?d|passphrase|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credential|auth)[\w.-]{0,60}`;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // https://user:password@host
  [/([a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@]{0,200}:)[^\s/@]{1,500}@/gi, `$1${GONE}@`],
  // Authorization: Bearer abc
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${GONE}`],
  // PASSWORD=abc, --password=abc, token: abc
  [new RegExp(String.raw`(?<![\w.-])(-{0,2}${SECRET})(\s?[=:]\s?)("[^"]*"|'[^']*'|[^\s"'&;]+)`, 'gi'), `$1$2${GONE}`],
  // --password abc
  [new RegExp(String.raw`(?<![\w.-])(--?${SECRET})\s+("[^"]*"|'[^']*'|[^\s"'&;-][^\s"'&;]*)`, 'gi'), `$1 ${GONE}`],
  // mysql -psecret
  [/(\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b[^|;&\n]{0,300}?\s-p)[^\s-]\S*/gi, `$1${GONE}`],
  // redis-cli -a secret
  [/(\bredis-(?:cli|server)\b[^|;&\n]{0,300}?\s(?:-a|--requirepass))\s+\S+/gi, `$1 ${GONE}`],
];

/** A longer text is cut first: nobody reads it, and masking costs its length several times. */
const LONGEST = 20_000;

/** A command line or a message without the passwords in it, as far as their form shows that they are some. */
export function maskedText(text: string): string {
  return PATTERNS.reduce((masked, [pattern, by]) => masked.replace(pattern, by), text.slice(0, LONGEST));
}

const FLAG = new RegExp(`^--?${SECRET}$`, 'i');

/** The words of a command. A value that follows its flag as a word of its own is masked, too. */
export function maskedWords(words: readonly string[]): string[] {
  return words.map((word, index) => {
    const before = words[index - 1];
    return before !== undefined && FLAG.test(before) && !word.startsWith('-') ? GONE : maskedText(word);
  });
}

/** Labels carry users and tokens, too: `traefik.http.middlewares.x.basicauth.users`. */
export function maskedLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  const named = redactNamed(labels, maskedText) as Record<string, string>;
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) => [name, /auth\b|auth\.|users$/i.test(name) ? GONE : value]),
  );
}

/** Only the names of variables are ever shown. */
export const namesIn = (environment: readonly string[]): string[] =>
  environment.map((one) => one.split('=', 1)[0] as string).sort();
