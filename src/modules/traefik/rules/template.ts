import { BadRule } from './bad-rule.ts';

const DEFAULT = { host: '[^.]+', path: '[^/]+', prefix: '[^/]+', query: '.*' } as const;

/**
 * The regular expression of a template of Traefik 2: in `/users/{id:[0-9]+}`, braces hold a name and an expression.
 */
export function templatePattern(template: string, kind: keyof typeof DEFAULT): string {
  let pattern = kind === 'host' ? '(?i)^' : '^';
  let end = 0;
  for (const [from, to] of braces(template)) {
    const [, name, given] = /^([^:]*)(?::([\s\S]*))?$/.exec(template.slice(from + 1, to - 1)) ?? [];
    if (!name || given === '')
      throw new BadRule(`${template.slice(from, to).slice(0, 60)} has no name or no expression`);
    pattern += `${quoted(template.slice(end, from))}(?:${given ?? DEFAULT[kind]})`;
    end = to;
  }
  pattern += quoted(template.slice(end));
  if (kind === 'query' && template.endsWith('=') && template.indexOf('=') === template.length - 1) pattern += '.*';
  return kind === 'prefix' ? pattern : `${pattern}$`;
}

const quoted = (text: string): string => text.replace(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`);

/** Where the outermost braces begin and end. */
function braces(template: string): [number, number][] {
  const found: [number, number][] = [];
  let level = 0;
  let from = 0;
  for (let at = 0; at < template.length; at += 1) {
    if (template[at] === '{' && ++level === 1) from = at;
    if (template[at] === '}' && --level === 0) found.push([from, at + 1]);
    if (level < 0) break;
  }
  if (level !== 0) throw new BadRule(`the braces of ${template.slice(0, 60)} do not match`);
  return found;
}
