/** Whether a string in a node, possibly an expression, can be the URL that is wanted. */
export function urlMatches(text: string, wanted: string): boolean {
  const looked = wanted.toLowerCase();
  const own = text.toLowerCase();
  if (own.includes(looked)) return true;
  // The other way round: `wanted` is a full URL, and the node has its fixed parts with expressions in between.
  const parts = own.replace(/^=/, '').split(/\{\{.*?\}\}/s);
  if (parts.length < 2) return false;
  const fixed = parts.join('');
  if (!/^(https?:\/\/)?[\w.-]+\.\w+|^https?:\/\/[\w.-]+/.test(parts[0] as string) || fixed.length < 8) return false;
  let from = 0;
  for (const [index, part] of parts.entries()) {
    const at = looked.indexOf(part, from);
    if (at === -1 || (index === 0 && at !== 0)) return false;
    from = at + part.length;
  }
  return true;
}

const holder = /^(url|uri|endpoint|endpointUrl|baseUrl|base_url|host|hostname|server|webhookUrl|callbackUrl|path)$/i;

/** Whether a parameter holds an address. */
export const isAddress = (key: string, text: string): boolean => holder.test(key) || /:\/\//.test(text);
