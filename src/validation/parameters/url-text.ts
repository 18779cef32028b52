/** Left by the author for whoever uses the workflow. */
const PLACEHOLDER = /[<>[\]{}]|\byour|placeholder|\b(insert|enter|redacted)\b/i;

/** Stands for what an expression gives. */
const FILLED = 'x';

/** Why a text is no URL to call; `undefined` for a good one and for one that only the run can tell. */
export function urlProblem(value: string): string | undefined {
  const isTemplate = value.startsWith('=');
  const text = (isTemplate ? value.slice(1) : value).trim();
  if (text === '') return undefined;
  // The beginning, or the host, comes from an expression; without "=" the rules on expressions speak of it.
  if (text.startsWith('{{') || (!isTemplate && text.includes('{{'))) return undefined;
  const filled = text.replaceAll(/\{\{[\s\S]*?\}\}+/g, FILLED);
  if (filled.includes('{{')) return undefined;
  if (!/^https?:\/\//i.test(filled)) return schemeProblem(filled);
  if (/^https?:\/\/(https?:)?\/\//i.test(filled)) return 'it has its beginning twice';
  if (/^https?:\/\/https?:?\//i.test(filled)) return 'it has its beginning twice';
  if (/\s/.test(/^https?:\/\/[^/?#]*/i.exec(filled)?.[0] ?? '')) return 'there is a space in its host';
  if (!URL.canParse(filled))
    return PLACEHOLDER.test(filled) ? 'it holds a placeholder: put the real one in' : 'it cannot be parsed';
  // n8n itself writes %20 for a space in the path; one in brackets stands for what is to be put there.
  if (/[<[][^<>[\]]*\s[^<>[\]]*[>\]]/.test(filled.replace(/[?#][\s\S]*$/, '')))
    return 'it holds a placeholder: put the real one in';
  return undefined;
}

function schemeProblem(text: string): string {
  if (PLACEHOLDER.test(text)) return 'it looks like a placeholder: put the real one in';
  if (/^https?:[^/]|^https?:\/[^/]|^https?\/\//i.test(text)) return 'its beginning must be http:// or https://';
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1];
  if (scheme !== undefined) return `it begins with ${scheme}:// and must begin with http:// or https://`;
  return 'it must begin with http:// or https://';
}
