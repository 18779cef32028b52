import type { DisplayOptions } from '../description.ts';

/** When a parameter is shown, in words: `resource is message and operation is post or update`. */
export function inWords(options: DisplayOptions | undefined): string | undefined {
  if (!options) return undefined;
  const parts = [
    ...Object.entries(options.show ?? {}).map(([key, values]) => clause(key, values, 'or')),
    ...Object.entries(options.hide ?? {}).map(([key, values]) => `not if ${clause(key, values, 'or')}`),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}

const operators = new Map([
  ['eq', 'is'],
  ['not', 'is not'],
  ['gte', 'is at least'],
  ['lte', 'is at most'],
  ['gt', 'is above'],
  ['lt', 'is below'],
  ['startsWith', 'begins with'],
  ['endsWith', 'ends with'],
  ['includes', 'contains'],
  ['regex', 'matches'],
]);

function clause(key: string, values: unknown, joint: string): string {
  const name = key === '@version' ? 'typeVersion' : key.replace(/^\//, '').replace(/^@/, '');
  const list = Array.isArray(values) ? values : [values];
  const plain = list.filter((value) => conditionIn(value) === undefined).map(said);
  const conditions = list
    .flatMap((value) => conditionIn(value) ?? [])
    .map(([operator, wanted]) => {
      if (operator === 'exists') return 'is set';
      if (operator === 'between') {
        const { from, to } = (wanted ?? {}) as { from?: unknown; to?: unknown };
        return `is between ${said(from)} and ${said(to)}`;
      }
      return `${operators.get(operator) ?? operator} ${said(wanted)}`;
    });
  const all = [...(plain.length === 0 ? [] : [`is ${plain.join(` ${joint} `)}`]), ...conditions];
  return `${name} ${all.join(` ${joint} `)}`;
}

function conditionIn(value: unknown): [string, unknown][] | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, '_cnd')) return undefined;
  const { _cnd } = value as { _cnd: unknown };
  return typeof _cnd === 'object' && _cnd !== null ? Object.entries(_cnd) : [];
}

function said(value: unknown): string {
  if (value === '') return 'empty';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value ?? null);
}
