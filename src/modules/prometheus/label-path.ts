/**
 * The path of a label's values. Names with other signs than letters, digits and underscores, which Prometheus has since
 * version 3, are written as it asks for: `a.b` is `U__a_2e_b`.
 */
export function labelPath(name: string): string {
  const isPlain = /^[a-zA-Z_]\w*$/.test(name);
  return `/api/v1/label/${isPlain ? name : `U__${name.replace(/[^a-zA-Z0-9]/gu, escaped)}`}/values`;
}

const escaped = (sign: string): string => (sign === '_' ? '__' : `_${sign.codePointAt(0)?.toString(16)}_`);
