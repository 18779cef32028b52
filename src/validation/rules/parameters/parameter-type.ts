import type { Property } from '../../../nodes/description.ts';
import type { Rule } from '../../rule.ts';
import { givenFields, isExpression, takesMany } from '../../parameters/checked-fields.ts';
import { called, kindOf, quoted } from '../../messages/wording.ts';

/** n8n hands parameters on as they are. Most nodes bear a number as text; none bears what is no number. */
export const parameterType: Rule = {
  id: 'parameter-type',
  group: 'parameters',
  title: 'A number is a number, a switch is true or false, a text is a text.',
  severity: 'error',
  check(subject, report) {
    for (const { property, value, pointer, node } of givenFields(subject, 'boolean', 'number', 'string')) {
      if (value === null || value === '' || isExpression(value) || takesMany(property)) continue;
      if (Array.isArray(value) && value.length === 0) continue;
      const wrong = wrongTypeOf(property, value);
      if (!wrong) continue;
      const { right, ...said } = wrong;
      report({
        node: node.name,
        path: pointer,
        message: `${called(property)} ${said.message}`,
        ...(said.severity && { severity: said.severity }),
        ...(right !== undefined && {
          fix: {
            description: `Write ${JSON.stringify(right)}`,
            safe: false,
            changes:
              right === false && typeof value === 'string'
                ? 'It counts as false; now it counts as true, as every text does.'
                : `The node gets ${JSON.stringify(right)} itself, and what n8n shows only with that begins to count.`,
            patch: [{ op: 'replace', path: pointer, value: right }],
          },
        }),
      });
    }
  },
};

interface Wrong {
  readonly message: string;
  readonly severity?: 'warning';
  readonly right?: unknown;
}

function wrongTypeOf({ type, name, typeOptions }: Property, value: unknown): Wrong | undefined {
  switch (type) {
    case 'boolean': {
      if (typeof value === 'boolean') return undefined;
      const right = booleanMeant(value);
      if (right === undefined) {
        // Old conditions compare whatever they are given.
        const isCompared = name === 'value1' || name === 'value2';
        return {
          message: `must be true or false, and is ${quoted(value)}.`,
          ...(isCompared && { severity: 'warning' }),
        };
      }
      const trap = right ? '' : ' Text that is not empty counts as true.';
      return {
        message: `must be true or false, and is ${kindOf(value)}: write ${right}.${typeof value === 'string' ? trap : ''}`,
        severity: 'warning',
        right,
      };
    }
    case 'number': {
      if (typeof value === 'number') return undefined;
      const right = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
      if (!Number.isFinite(right)) {
        // The editor leaves an empty object where a number was cleared.
        const isCleared = typeof value === 'object' && Object.keys(value as object).length === 0;
        return { message: `must be a number, and is ${quoted(value)}.`, ...(isCleared && { severity: 'warning' }) };
      }
      return { message: `must be a number, and is text: write ${right}.`, severity: 'warning', right };
    }
    default:
      // Editors of code, JSON and the like have forms of their own.
      if (typeof value !== 'object' || typeOptions?.['editor'] !== undefined) return undefined;
      return { message: `must be text, and is ${kindOf(value)}. Write a text, or an expression that gives one.` };
  }
}

function booleanMeant(value: unknown): boolean | undefined {
  if (typeof value === 'number') return value === 0 ? false : value === 1 ? true : undefined;
  if (typeof value !== 'string') return undefined;
  const text = value.toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : undefined;
}
