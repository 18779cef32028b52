/** The author left it for the next user to fill in. */
const PLACEHOLDER = /[<>[\]{}]|\byour|placeholder|\b(insert|enter|redacted)\b/i;

/** Replaces the result of an expression. */
const FILLED = 'x';

/** Why n8n cannot call a URL; `undefined` if it can, or if only a run can tell. */
export function urlProblem(value: string): string | undefined {
  const isTemplate = value.startsWith('=');
  const text = (isTemplate ? value.slice(1) : value).trim();
  if (text === '') return undefined;
  // An expression supplies the start. Without "=" the expression rules report it.
  if (text.startsWith('{{') || (!isTemplate && text.includes('{{'))) return undefined;
  const filled = text.replaceAll(/\{\{[\s\S]*?\}\}+/g, FILLED);
  if (filled.includes('{{')) return undefined;
  if (!/^https?:\/\//i.test(filled)) return schemeProblem(filled);
  if (/^https?:\/\/(https?:)?\/\//i.test(filled)) return 'it has http:// or https:// twice';
  if (/^https?:\/\/https?:?\//i.test(filled)) return 'it has http:// or https:// twice';
  if (/\s/.test(/^https?:\/\/[^/?#]*/i.exec(filled)?.[0] ?? '')) return 'there is a space in its host';
  if (!URL.canParse(filled))
    return PLACEHOLDER.test(filled)
      ? 'it contains a placeholder: replace it with the real value'
      : 'it cannot be parsed';
  // n8n itself replaces a space in the path with %20. A space in brackets marks a placeholder.
  if (/[<[][^<>[\]]*\s[^<>[\]]*[>\]]/.test(filled.replace(/[?#][\s\S]*$/, '')))
    return 'it contains a placeholder: replace it with the real value';
  return undefined;
}

function schemeProblem(text: string): string {
  if (PLACEHOLDER.test(text)) return 'it looks like a placeholder: replace it with the real URL';
  if (/^https?:[^/]|^https?:\/[^/]|^https?\/\//i.test(text)) return 'it must start with http:// or https://';
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1];
  if (scheme !== undefined) return `it starts with ${scheme}://, but must start with http:// or https://`;
  return 'it must start with http:// or https://';
}
