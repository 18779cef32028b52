/** JSON as YAML for people: only what our own configuration can hold. */
export function yamlOf(value: unknown): string {
  const lines: string[] = [];
  write(value, '', lines);
  return `${lines.join('\n')}\n`;
}

function write(value: unknown, indent: string, lines: string[]): void {
  if (Array.isArray(value)) {
    for (const item of value) {
      if (isFilled(item)) {
        const inner: string[] = [];
        write(item, `${indent}  `, inner);
        lines.push(`${indent}- ${(inner[0] ?? '').trimStart()}`, ...inner.slice(1));
      } else lines.push(`${indent}- ${scalar(item)}`);
    }
    return;
  }
  for (const [key, item] of Object.entries(value as object)) {
    if (item === undefined) continue;
    if (isFilled(item)) {
      lines.push(`${indent}${text(key)}:`);
      write(item, `${indent}  `, lines);
    } else lines.push(`${indent}${text(key)}: ${scalar(item)}`);
  }
}

const isFilled = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

function scalar(value: unknown): string {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[]' : '{}';
  return String(value);
}

/** Words that YAML would read as something else are quoted. */
function text(value: string): string {
  const isPlain =
    /^[\p{L}\p{N}_./$•*][^\n\r\t]*$/u.test(value) &&
    !/(?:: |:$| #|\s$)/.test(value) &&
    !/^(?:true|false|null|yes|no|on|off|~|[-+.\d][\d.,eE_+-]*)$/i.test(value) &&
    !value.startsWith('*');
  return isPlain ? value : JSON.stringify(value);
}
