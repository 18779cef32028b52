import type { Property } from '../../../nodes/description.ts';
import type { LikelyFix, Severity } from '../../finding.ts';
import type { Rule } from '../../rule.ts';
import { type CheckedField, givenFields } from '../../parameters/checked-fields.ts';
import { isObjectLiteral, problemOf } from '../../parameters/json-text.ts';
import { templatedProblem } from '../../parameters/templated-json.ts';
import { called } from '../../messages/wording.ts';

/** Text fields that hold JSON although their type does not say so. */
const JSON_NAMES = /^(json(Body|Query|Headers|Output|Schema)?|filterJson|blocksJson|variablesJson)$/;

export const invalidJson: Rule = {
  id: 'invalid-json',
  group: 'parameters',
  title: 'What must be JSON can be parsed.',
  severity: 'error',
  // Without its "=" it is not even JSON: that is the graver of the two.
  supersedes: ['expression-missing-equals'],
  check(subject, report) {
    const texts = givenFields(subject, 'string').filter(
      ({ property }) => property.typeOptions?.['editor'] === 'json' || JSON_NAMES.test(property.name),
    );
    for (const field of [...givenFields(subject, 'json'), ...texts]) {
      const problem = problemIn(field);
      if (!problem) continue;
      report({
        node: field.node.name,
        path: field.pointer,
        message: `${called(field.property)} is not JSON: ${problem.what}. ${problem.advice}`,
        ...(problem.severity && { severity: problem.severity }),
        ...(problem.fix && { fix: problem.fix }),
      });
    }
  },
};

interface Problem {
  readonly what: string;
  readonly advice: string;
  readonly severity?: Severity;
  readonly fix?: LikelyFix;
}

function problemIn(field: CheckedField): Problem | undefined {
  const { value, property } = field;
  if (typeof value === 'object' && value !== null) return readsTextOnly(field) ? asObject(field) : undefined;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  if (value.startsWith('=')) {
    const text = value.slice(1);
    const what = templatedProblem(text);
    const advice = 'Correct the text around the expressions, or build it whole: {{ JSON.stringify({ … }) }}.';
    if (what === undefined) return undefined;
    if (!mends(property)) return { what, advice };
    // With values in it n8n mends everything else as well, and guesses.
    return { what, advice, severity: templatedProblem(text, literalProblem) === undefined ? 'info' : 'warning' };
  }
  if (value.includes('{{')) return isParsedAsItIs(field) ? bracesIn(field, value) : undefined;
  const what = problemOf(value);
  if (what === undefined) return undefined;
  if (!isObjectLiteral(value)) return { what, advice: 'Correct it; names and texts are in double quotes.' };
  return {
    what: 'it is written the JavaScript way',
    advice: 'Put names and texts into double quotes, and leave no comma before a closing bracket.',
    ...(mends(property) && { severity: 'info' }),
  };
}

/** Most nodes bear the data itself where they ask for JSON as text. */
function readsTextOnly({ node: { type }, property: { name } }: CheckedField): boolean {
  return textOnly.get(type)?.has(name) === true;
}

const ofRequests = new Set(['jsonQuery', 'jsonHeaders']);
const textOnly: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['n8n-nodes-base.set', new Set(['jsonOutput'])],
  ['n8n-nodes-base.httpRequest', ofRequests],
  ['n8n-nodes-base.httpRequestTool', ofRequests],
]);

function asObject({ value, pointer }: CheckedField): Problem {
  const isList = Array.isArray(value);
  return {
    what: `it is ${isList ? 'a list' : 'an object'}, and the node reads a text`,
    advice: 'Write the same as a text: "{ \\"name\\": \\"value\\" }".',
    ...(!isList && {
      fix: {
        description: 'Write it as a text',
        safe: false,
        changes: 'The node gets what stands there; now it fails.',
        patch: [{ op: 'replace', path: pointer, value: JSON.stringify(value, null, 2) }],
      },
    }),
  };
}

/** Where n8n parses the text as it stands. Elsewhere braces may be filled in by somebody else. */
function isParsedAsItIs({ node: { type }, property }: CheckedField): boolean {
  return mends(property) || parsers.test(type);
}

const parsers = /^n8n-nodes-base\.(?:httpRequest|httpRequestTool|respondToWebhook)$/;

/** In quotes they are text to n8n: the rules on expressions say that. */
function bracesIn({ property, pointer }: CheckedField, value: string): Problem | undefined {
  if (problemOf(value) === undefined || (mends(property) && isObjectLiteral(value))) return undefined;
  return {
    what: 'it has {{ }} in it and does not begin with "=", so that n8n parses the braces',
    advice: 'Put "=" in front.',
    ...(templatedProblem(value) === undefined && {
      fix: {
        description: 'Put "=" in front',
        safe: false,
        changes: 'n8n puts in what the expressions give; now the node fails.',
        patch: [{ op: 'replace', path: pointer, value: `=${value}` }],
      },
    }),
  };
}

const literalProblem = (text: string): string | undefined => (isObjectLiteral(text) ? undefined : 'it cannot be read');

/** There n8n mends what JavaScript would read, and it comes out as meant. */
function mends({ validateType }: Property): boolean {
  return validateType === 'object' || validateType === 'array';
}
