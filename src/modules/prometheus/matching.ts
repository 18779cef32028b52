import { globMatcher } from '../../kernel/glob.ts';

/** Whether a name matches: a glob if the pattern has a star or a question mark, else any part of the name. */
export function matcherOf(pattern: string | undefined): (name: string) => boolean {
  if (pattern === undefined) return () => true;
  const wanted = pattern.toLowerCase();
  if (!/[*?]/.test(wanted)) return (name) => name.toLowerCase().includes(wanted);
  const fits = globMatcher([wanted]);
  return (name) => fits(name.toLowerCase());
}
