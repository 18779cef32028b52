import { harmless } from '../../kernel/harmless.ts';

const KEPT = 32 * 1024;
const LONGEST_LINE = 2000;
const MOST_LINES = 200;

/** The end of what the processes of a server wrote to stderr, also of those that have ended. */
export function createStderrTail(redact: (text: string) => string) {
  let kept = '';
  let isCut = false;
  return {
    add(text: string): void {
      kept += text;
      if (kept.length <= KEPT) return;
      kept = kept.slice(-KEPT);
      isCut = true;
    },
    lines(): string[] {
      // Half a secret at the cut would not be recognised: begin with a whole line, or at least a whole word.
      const start = isCut ? kept.search(/\n/) : 0;
      const whole = start >= 0 ? kept.slice(start) : kept.slice(Math.max(0, kept.search(/\s/)));
      // Without control characters first: they could stand inside a secret.
      const lines = redact(harmless(whole)).split('\n');
      return lines
        .filter((line) => line.trim() !== '')
        .slice(-MOST_LINES)
        .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));
    },
  };
}
