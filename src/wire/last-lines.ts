/** How Node ends what it prints of a crash: none of it says why. */
const idle = /^[\s{}[\]]*$|^\s+at |^Node\.js v\d|^\s+(?:code|requireStack|errno|syscall|path): /;

/** The last lines of what a program wrote before it ended, without those that say nothing. */
export function lastLines(text: string): string {
  const lines = text.trim().split('\n');
  const telling = lines.filter((line) => !idle.test(line));
  return (telling.length > 0 ? telling : lines).slice(-3).join(' | ').slice(-500);
}
