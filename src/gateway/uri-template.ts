/** The text that an expression of a template can expand to. */
interface Gap {
  canBeEmpty: boolean;
  /** It must begin with this, unless it is empty. */
  first?: string;
  /** It ends before any of these. */
  enders: string;
}

const LONGEST = 8192;
/** Parsing a template costs up to the square of its length. */
const LONGEST_TEMPLATE = 2048;

/**
 * Tells whether a URI may come from a URI template (RFC 6570), exactly enough to find its backend. Strangers write
 * templates, so matching must not cost more than the product of both lengths. A regular expression could.
 */
export function templateMatcher(template: string): (uri: string) => boolean {
  if (template.length > LONGEST_TEMPLATE) return () => false;
  const parts = template
    .split(/(\{[^}]*\})/)
    .filter((part) => part !== '')
    .map((part): string | Gap => (part.startsWith('{') ? gapOf(part[1] ?? '') : part));
  return (uri) => {
    if (uri.length > LONGEST) return false;
    let reached = [0];
    for (const part of parts) {
      reached = typeof part === 'string' ? afterLiteral(reached, part, uri) : afterGap(reached, part, uri);
      if (reached.length === 0) return false;
    }
    return reached.at(-1) === uri.length;
  };
}

function gapOf(operator: string): Gap {
  if (operator === '+' || operator === '#') return { canBeEmpty: false, enders: '' };
  if (operator === '?' || operator === '&') return { canBeEmpty: true, enders: '' };
  if (operator === '/') return { canBeEmpty: true, first: '/', enders: '' };
  return { canBeEmpty: false, enders: '/?#' };
}

/** The positions, in order, at which the rest of the template may continue. */
function afterLiteral(reached: readonly number[], literal: string, uri: string): number[] {
  return reached.filter((at) => uri.startsWith(literal, at)).map((at) => at + literal.length);
}

function afterGap(reached: readonly number[], { canBeEmpty, first, enders }: Gap, uri: string): number[] {
  const next = new Set(canBeEmpty ? reached : []);
  let end = 0;
  for (const at of reached) {
    if (first !== undefined && uri[at] !== first) continue;
    // A gap from further left has covered everything up to `end` already.
    end = Math.max(end, at);
    while (end < uri.length && !enders.includes(uri[end] as string)) next.add(++end);
  }
  return [...next].sort((a, b) => a - b);
}
