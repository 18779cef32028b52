/** Whether a text of a node, which may be an expression, can be the address that is looked for. */
export function urlMatches(text: string, wanted: string): boolean {
  const looked = wanted.toLowerCase();
  const own = text.toLowerCase();
  if (own.includes(looked)) return true;
  // The other way round: somebody looks for a whole address, and the node holds its fixed part with expressions in it.
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

/** Whether a text is there to say where something is. */
export const isAddress = (key: string, text: string): boolean => holder.test(key) || /:\/\//.test(text);
