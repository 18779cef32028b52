import type { Property } from '../../../nodes/description.ts';
import type { LikelyFix, Severity } from '../../finding.ts';
import { pointer } from '../../json/json-pointer.ts';
import { isRecord, type Rec } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject/subject.ts';
import { givenFields, isExpression } from '../../parameters/checked-fields.ts';
import { isPlaceholder, wasChosen } from '../../parameters/left-open.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { called, listed, quoted } from '../../messages/wording.ts';

/**
 * `{ "__rl": true, "mode": "id", "value": "…" }`. n8n uses a plain string as the value itself. It passes an object
 * without mode or value to the service unchanged.
 */
export const resourceLocatorShape: Rule = {
  id: 'resource-locator-shape',
  group: 'parameters',
  title: 'A resource locator has a "mode" and a "value".',
  severity: 'error',
  supersedes: ['required-parameter'],
  check(subject, report) {
    for (const { node, property, value, pointer: at } of givenFields(
      subject,
      'resourceLocator',
      'workflowSelector',
      'agentSelector',
    )) {
      // Nothing is chosen yet: required-parameter reports that.
      if (value === null || value === '' || isExpression(value)) continue;
      const wrong = isRecord(value)
        ? wrongObject(property, value, at, subject, isModel(node))
        : wrongValue(node, property, value, at);
      if (wrong) report({ node: node.name, path: at, ...wrong, message: `${called(property)} ${wrong.message}` });
    }
  },
};

interface Wrong {
  readonly message: string;
  readonly path?: string;
  readonly severity?: Severity;
  readonly fix?: LikelyFix;
}

/** These nodes read mode and value themselves, and find neither in a bare string. */
const readsParts =
  /^(?:n8n-nodes-base\.(?:executeWorkflow|dataTable)|@n8n\/n8n-nodes-langchain\.(?:lmChatOpenAi|lmChatAnthropic|mcpClient))$/;

function wrongValue({ type }: NodeView, { modes = [] }: Property, value: unknown, at: string): Wrong | undefined {
  if (typeof value === 'object') return { message: `must be an object with mode and value, not ${kindOf(value)}.` };
  // An expression without its "=": the expression rules report that.
  if (typeof value === 'string' && value.includes('{{')) return undefined;
  const mode = modes.find(({ name }) => name === 'id') ?? modes.find(({ type }) => type === 'string') ?? modes[0];
  const whole = { __rl: true, mode: mode?.name ?? 'id', value };
  const isLost = readsParts.test(type);
  return {
    message: `is a bare ${typeof value}: ${isLost ? 'the node cannot read it and fails' : 'the editor cannot show what it is'}. Write ${exampleOf(whole)}.`,
    ...(!isLost && { severity: 'warning' as const }),
    ...(mode?.name === 'id' && {
      fix: {
        description: 'Mark it as an id.',
        safe: false,
        changes: 'The node gets an object with mode and value. Some nodes fail on a bare value.',
        patch: [{ op: 'replace', path: at, value: whole }],
      },
    }),
  };
}

/** Models read "value" in every mode. */
function isModel({ type }: NodeView): boolean {
  return type.startsWith('@n8n/n8n-nodes-langchain.lm');
}

function wrongObject(
  { modes = [] }: Property,
  given: Rec,
  at: string,
  { purpose }: Subject,
  asksForValue: boolean,
): Wrong | undefined {
  if (Object.keys(given).length === 0) return undefined;
  const names = modes.map(({ name }) => name);
  const { mode, value } = given;
  if (!Object.hasOwn(given, 'value')) {
    if (wasChosen(given)) {
      const message = 'has lost its "value": the choice was removed. Choose it again.';
      return { message, ...(purpose !== 'publish' && { severity: 'warning' }) };
    }
    return { message: `has no "value". Write ${exampleOf({ mode: mode ?? names[0], value: '…' })}.` };
  }
  if (!Object.hasOwn(given, 'mode')) {
    const message = `has no "mode", so most nodes use the whole object as the value. Add one of: ${listed(names)}.`;
    const patch = [{ op: 'add' as const, path: pointer(at, 'mode'), value: 'id' }];
    const isOpen = purpose === 'run' && typeof value === 'string' && isPlaceholder(value);
    const changes = 'The node gets only the value instead of the whole object.';
    return {
      message,
      ...((isOpen || asksForValue) && { severity: 'warning' }),
      ...(names.includes('id') && { fix: { description: 'Add the mode "id".', safe: false, changes, patch } }),
    };
  }
  if (typeof value === 'object' && value !== null) {
    return {
      message: `must have a string or a number as its value, not ${kindOf(value)}.`,
      path: pointer(at, 'value'),
    };
  }
  if (!isExpression(mode) && mode !== '' && names.length > 0 && !(typeof mode === 'string' && names.includes(mode))) {
    // n8n uses the value unchanged, as in the mode "id".
    const message = `has no mode ${quoted(mode)}. It has: ${listed(names)}.`;
    return { message, path: pointer(at, 'mode'), severity: 'warning' };
  }
  return undefined;
}

function exampleOf({ mode, value }: { mode: unknown; value: unknown }): string {
  return `{ "__rl": true, "mode": ${JSON.stringify(mode)}, "value": ${quoted(value)} }`;
}
