/** Words that CEL reserves. */
const reserved: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** `inputs.team`, `steps.find.result.items[0].id`, `inputs["package"]`. */
export function memberOf(root: string, path: readonly (string | number)[]): string {
  return path.reduce<string>((source, key) => {
    if (typeof key === 'number') return `${source}[${key}]`;
    return /^[A-Za-z_]\w*$/.test(key) && !reserved.has(key) ? `${source}.${key}` : `${source}[${JSON.stringify(key)}]`;
  }, root);
}

export const whole = (source: string): string => `\${${source}}`;

/** A literal text in a template. */
export const literal = (text: string): string => text.replaceAll('${', () => '$${');

export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly source: string;
}

/** A text with expressions instead of some parts of it, which are in order and apart. */
export function templateWith(text: string, replacements: readonly Replacement[]): string {
  let made = '';
  let from = 0;
  for (const { start, end, source } of replacements) {
    made += beforeExpression(literal(text.slice(from, start))) + whole(source);
    from = end;
  }
  return made + literal(text.slice(from));
}

/** `$` right before an expression would escape it, so it becomes one itself. */
const beforeExpression = (text: string): string => {
  const rest = text.replace(/\$+$/, '');
  return rest === text ? text : `${rest}\${"${text.slice(rest.length)}"}`;
};
