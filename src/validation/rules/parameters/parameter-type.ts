import type { Property } from '../../../nodes/description.ts';
import type { Rule } from '../../rule.ts';
import { givenFields, isExpression, takesMany } from '../../parameters/checked-fields.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { called, quoted } from '../../messages/wording.ts';

/** n8n passes parameters on unchanged. Most nodes accept a number given as text, but no node accepts other text as a number. */
export const parameterType: Rule = {
  id: 'parameter-type',
  group: 'parameters',
  title: 'Numbers are numbers, switches are true or false, strings are strings.',
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
            description: `Set it to ${JSON.stringify(right)}.`,
            safe: false,
            changes:
              right === false && typeof value === 'string'
                ? 'It counts as false. Now it counts as true, as every non-empty string does.'
                : `The node gets ${JSON.stringify(right)} itself, and parameters that depend on it take effect.`,
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
        // Old conditions compare values of any type.
        const isCompared = name === 'value1' || name === 'value2';
        return {
          message: `must be true or false, not ${quoted(value)}.`,
          ...(isCompared && { severity: 'warning' }),
        };
      }
      const trap = right ? '' : ' A non-empty string counts as true.';
      return {
        message: `must be true or false, not ${kindOf(value)}: write ${right}.${typeof value === 'string' ? trap : ''}`,
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
        return { message: `must be a number, not ${quoted(value)}.`, ...(isCleared && { severity: 'warning' }) };
      }
      return { message: `must be a number, not a string: write ${right}.`, severity: 'warning', right };
    }
    default:
      // Fields with an editor for code, JSON and so on have their own formats.
      if (typeof value !== 'object' || typeOptions?.['editor'] !== undefined) return undefined;
      return { message: `must be a string, not ${kindOf(value)}. Write a string, or an expression that returns one.` };
  }
}

function booleanMeant(value: unknown): boolean | undefined {
  if (typeof value === 'number') return value === 0 ? false : value === 1 ? true : undefined;
  if (typeof value !== 'string') return undefined;
  const text = value.toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : undefined;
}
