import { pointer } from '../../json/json-pointer.ts';
import { isRecord, type Rec } from '../../json/record.ts';
import type { Report, Rule } from '../../rule.ts';
import { type CheckedField, givenFields, isExpression } from '../../parameters/checked-fields.ts';
import { readsAs } from '../../parameters/convertible.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { called, quoted } from '../../messages/wording.ts';

const modes = new Set(['defineBelow', 'autoMapInputData']);

/** The columns that a node writes. The list comes from the service; the workflow stores a copy. */
export const resourceMapperShape: Rule = {
  id: 'resource-mapper-shape',
  group: 'parameters',
  title: 'Mapped columns have a mode, and values if they are set by hand.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const field of givenFields(subject, 'resourceMapper')) {
      const { property, value, node } = field;
      if (value === null || value === '' || isExpression(value)) continue;
      if (!isRecord(value)) {
        report({
          node: node.name,
          path: field.pointer,
          message: `${called(property)} must be an object, not ${kindOf(value)}. Write { "mappingMode": "defineBelow", "value": { "column": "…" } }.`,
        });
        continue;
      }
      checkMapper(field, value, report);
    }
  },
};

function checkMapper(field: CheckedField, mapper: Rec, report: Report): void {
  const { mappingMode, value, schema } = mapper;
  const node = field.node.name;
  if (Object.keys(mapper).length === 0) return;
  if (
    mappingMode !== undefined &&
    !isExpression(mappingMode) &&
    !(typeof mappingMode === 'string' && modes.has(mappingMode))
  ) {
    const path = pointer(field.pointer, 'mappingMode');
    report({
      node,
      path,
      message: `${called(field.property)} has no mode ${quoted(mappingMode)}. Use defineBelow or autoMapInputData.`,
    });
    return;
  }
  if (mappingMode === 'autoMapInputData') return;
  if (value !== null && value !== undefined && !isExpression(value) && !isRecord(value)) {
    report({
      node,
      path: pointer(field.pointer, 'value'),
      message: `The values of ${called(field.property)} must be an object, not ${kindOf(value)}. Write { "column": "…" }.`,
    });
    return;
  }
  if (Array.isArray(schema)) checkColumns(field, schema, isRecord(value) ? value : {}, report);
}

function checkColumns(field: CheckedField, schema: readonly unknown[], values: Rec, report: Report): void {
  const settings = field.property.typeOptions?.['resourceMapper'];
  const isAdding = isRecord(settings) && settings['mode'] === 'add';
  for (const column of schema) {
    if (!isRecord(column) || typeof column['id'] !== 'string') continue;
    const { id, type, required } = column;
    const value = Object.hasOwn(values, id) ? values[id] : undefined;
    const path = pointer(field.pointer, 'value', id);
    if (required === true && isAdding && value === undefined) {
      report({
        node: field.node.name,
        path,
        message: `The column ${quoted(id)} is required and has no value. Set it.`,
      });
    } else if (typeof type === 'string' && !isExpression(value) && !readsAs(value, type)) {
      report({
        node: field.node.name,
        path,
        message: `${quoted(value)} is not a valid ${type}, which the column ${quoted(id)} needs. Change it.`,
      });
    }
  }
}
