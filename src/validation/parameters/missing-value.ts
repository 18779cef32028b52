import type { Property } from '../../nodes/description.ts';
import { isRecord } from '../json/record.ts';
import type { Field } from '../subject/subject.ts';
import { takesMany } from './checked-fields.ts';

/** n8n treats an empty string as missing. */
export function isMissing({ property, value }: Field): boolean {
  if (takesMany(property)) return Array.isArray(value) && value.some((one) => isEmpty(property, one));
  return isEmpty(property, value);
}

function isEmpty({ type }: Property, value: unknown): boolean {
  switch (type) {
    case 'string':
    case 'dateTime':
    case 'options':
      return value === '' || value === undefined || value === null;
    case 'multiOptions':
      return Array.isArray(value) && value.length === 0;
    case 'resourceLocator':
    case 'workflowSelector':
    case 'agentSelector':
      return isRecord(value) ? typeof value.value !== 'number' && !value.value : !value;
    default:
      return false;
  }
}
