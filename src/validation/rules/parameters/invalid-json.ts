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
  title: 'JSON parameters can be parsed.',
  severity: 'error',
  // Without its "=" the value is not even JSON, which is worse.
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
    const advice = 'Fix the text around the expressions, or build all of it in one: {{ JSON.stringify({ … }) }}.';
    if (what === undefined) return undefined;
    if (!mends(property)) return { what, advice };
    // With values filled in, n8n also repairs everything else, by guessing.
    return { what, advice, severity: templatedProblem(text, literalProblem) === undefined ? 'info' : 'warning' };
  }
  if (value.includes('{{')) return isParsedAsItIs(field) ? bracesIn(field, value) : undefined;
  const what = problemOf(value);
  if (what === undefined) return undefined;
  if (!isObjectLiteral(value)) return { what, advice: 'Fix it; put names and strings in double quotes.' };
  return {
    what: 'it is a JavaScript object',
    advice: 'Put names and strings in double quotes, and remove commas before closing brackets.',
    ...(mends(property) && { severity: 'info' }),
  };
}

/** Most nodes accept the data itself instead of JSON text. These do not. */
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
    what: `it is ${isList ? 'a list' : 'an object'}, but the node reads text`,
    advice: 'Write the same as a string: "{ \\"name\\": \\"value\\" }".',
    ...(!isList && {
      fix: {
        description: 'Write it as a string.',
        safe: false,
        changes: 'The node gets this data. Now it fails.',
        patch: [{ op: 'replace', path: pointer, value: JSON.stringify(value, null, 2) }],
      },
    }),
  };
}

/** n8n parses the text of these as it is. Elsewhere something else may fill in the braces. */
function isParsedAsItIs({ node: { type }, property }: CheckedField): boolean {
  return mends(property) || parsers.test(type);
}

const parsers = /^n8n-nodes-base\.(?:httpRequest|httpRequestTool|respondToWebhook)$/;

/** Braces in quotes are text to n8n: the expression rules report those. */
function bracesIn({ property, pointer }: CheckedField, value: string): Problem | undefined {
  if (problemOf(value) === undefined || (mends(property) && isObjectLiteral(value))) return undefined;
  return {
    what: 'it contains {{ }} but does not start with "=", so n8n parses the braces as JSON',
    advice: 'Put "=" in front.',
    ...(templatedProblem(value) === undefined && {
      fix: {
        description: 'Put "=" in front.',
        safe: false,
        changes: 'n8n inserts the results of the expressions. Now the node fails.',
        patch: [{ op: 'replace', path: pointer, value: `=${value}` }],
      },
    }),
  };
}

const literalProblem = (text: string): string | undefined =>
  isObjectLiteral(text) ? undefined : 'it cannot be parsed';

/** n8n repairs JavaScript-style objects in these fields, with the intended result. */
function mends({ validateType }: Property): boolean {
  return validateType === 'object' || validateType === 'array';
}
