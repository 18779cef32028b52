import type { AnyModule } from './module.ts';
import type { CommonSettings } from './settings.ts';

/** What must appear in no log: the passwords of URLs, and what the module names. */
export function secretsIn(module: AnyModule, settings: CommonSettings): string[] {
  const inUrls = Object.values(settings).flatMap((value) => (typeof value === 'string' ? passwordsOf(value) : []));
  const named = (module.secrets?.(settings) ?? []).flatMap((value) => value || []);
  return [...inUrls, ...named];
}

function passwordsOf(text: string): string[] {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return [];
  const { password } = new URL(text);
  if (password === '') return [];
  try {
    return [...new Set([password, decodeURIComponent(password)])];
  } catch {
    return [password];
  }
}
