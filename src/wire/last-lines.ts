/** The end of Node's output after a crash, which does not explain it. */
const idle = /^[\s{}[\]]*$|^\s+at |^Node\.js v\d|^\s+(?:code|requireStack|errno|syscall|path): /;

/** The last lines a program wrote before it ended, without uninformative ones. */
export function lastLines(text: string): string {
  const lines = text.trim().split('\n');
  const telling = lines.filter((line) => !idle.test(line));
  return (telling.length > 0 ? telling : lines).slice(-3).join(' | ').slice(-500);
}
