import { isRecord } from '../configuration/display.ts';

const named = /ur[il]|endpoint|host|domain|server/i;

/**
 * The first parameter that may control where n8n sends a request and the credential with it: its name says so, its value
 * looks like a URL, or it is an expression. A value picked from a list only names a thing, so it is safe.
 */
export function addressIn(parameters: Readonly<Record<string, unknown>>, within = ''): string | undefined {
  for (const [name, value] of Object.entries(parameters)) {
    const path = `${within}${name}`;
    if (typeof value === 'string') {
      if (value !== '' && (named.test(name) || value.includes('//') || value.startsWith('='))) return path;
      continue;
    }
    if (!isRecord(value) && !Array.isArray(value)) continue;
    if (named.test(name) && isRecord(value) && value.__rl === true) return path;
    if (isRecord(value) && value.__rl === true && !(typeof value.value === 'string' && value.value.startsWith('=')))
      continue;
    const inside = addressIn(value as Record<string, unknown>, `${path}.`);
    if (inside !== undefined) return inside;
  }
  return undefined;
}
