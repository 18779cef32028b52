import { didYouMean, inQuotes, shown } from '../../../kernel/nearest-names.ts';
import type { NodeDescription, Property } from '../../../nodes/description.ts';
import { pointer } from '../../json/json-pointer.ts';
import type { Report, Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';
import { checkedNodes } from '../../parameters/checked-fields.ts';
import { meant, sharesWords } from '../../messages/near-choice.ts';
import { type Level, levelsOf, namesAt, saysNothing, shownPlaces } from '../../parameters/parameter-levels.ts';
import { listed } from '../../messages/wording.ts';

/** Searching for similar names is slow, and nobody reads more findings than this. */
const MOST_AT_ONE_LEVEL = 50;

/** n8n silently drops unknown parameters: the setting seems to be there, but does nothing. */
export const unknownParameter: Rule = {
  id: 'unknown-parameter',
  group: 'parameters',
  title: 'Every parameter exists on its node. n8n silently ignores others.',
  severity: 'error',
  check(subject, report) {
    for (const node of checkedNodes(subject)) {
      for (const level of levelsOf(node)) checkLevel(node, level, report);
    }
  },
};

function checkLevel(node: NodeView, level: Level, report: Report): void {
  const keys = Object.keys(level.given);
  if (keys.length === 0) return;
  const names = namesAt(level);
  let left = MOST_AT_ONE_LEVEL;
  for (const key of keys) {
    if (names.has(key) || (level.top && isAddedByN8n(key, node.description as NodeDescription))) continue;
    if ((!level.top && key === 'id') || saysNothing(level.given[key])) continue;
    if (left-- === 0) return;
    const fillable = [...new Set(level.properties.filter(({ type }) => !isForReading(type)).map(({ name }) => name))];
    const visible = shownPlaces(node);
    const free = fillable.filter(
      (name) => !Object.hasOwn(level.given, name) && visible.has(pointer(level.pointer, name)),
    );
    const path = pointer(level.pointer, key);
    const where = level.top ? 'This node' : `"${level.of}"`;
    const open = level.top ? free : fillable.filter((one) => !Object.hasOwn(level.given, one));
    const name = meant(key, open) ?? byItsValue(key, level, open);
    if (name === undefined) {
      const set = meant(
        key,
        fillable.filter((one) => Object.hasOwn(level.given, one)),
      );
      const advice =
        set === undefined
          ? `Remove it, or use one of: ${listed(free.length > 0 ? free : fillable)}.`
          : `Remove it: you probably mean "${set}", which is already set.`;
      report({
        node: node.name,
        path,
        // With no known parameter at all, the node does nothing that was asked for.
        ...(!(level.top && isAllUnknown(level, names)) && { severity: 'warning' as const }),
        message: `${where} has no parameter "${shown(key)}", so n8n ignores it. ${advice}`,
      });
      continue;
    }
    report({
      node: node.name,
      path,
      message: `${where} has no parameter "${shown(key)}", so n8n ignores it. ${didYouMean(inQuotes([name]))}`,
      fix: {
        description: `Rename "${shown(key)}" to "${name}".`,
        safe: false,
        changes: `"${name}" takes effect.`,
        patch: [
          { op: 'add', path: pointer(level.pointer, name), value: level.given[key] },
          { op: 'remove', path },
        ],
      },
    });
  }
}

/** The name is similar and the value is one of its options: `method: "POST"` can only mean httpMethod here. */
function byItsValue(key: string, { given, properties }: Level, open: readonly string[]): string | undefined {
  const value = given[key];
  if (typeof value !== 'string' || value === '') return undefined;
  const found = new Set(
    properties
      .filter(({ name }) => open.includes(name) && sharesWords(key, name))
      .filter((property) => property.default !== value && offers(property, value))
      .map(({ name }) => name),
  );
  return found.size === 1 ? [...found][0] : undefined;
}

function offers({ type, options }: Property, value: string): boolean {
  return type === 'options' && (options ?? []).some((option) => 'value' in option && option.value === value);
}

/** The parameters were written for another version or another node. */
function isAllUnknown({ given }: Level, names: ReadonlySet<string>): boolean {
  return Object.keys(given).every((key) => !names.has(key) || saysNothing(given[key]));
}

/** Parameters that n8n adds when it loads a node, so the package does not describe them. */
function isAddedByN8n(key: string, description: NodeDescription): boolean {
  switch (key) {
    case 'pollTimes':
      return description.polling === true;
    case 'requestOptions':
      return true;
    case 'descriptionType':
    case 'toolDescription':
      return description.name.endsWith('Tool');
    default:
      return false;
  }
}

/** Texts and buttons between the fields of the editor. Nobody sets those. */
function isForReading(type: string): boolean {
  return type === 'notice' || type === 'callout' || type === 'button' || type === 'curlImport' || type === 'hidden';
}
