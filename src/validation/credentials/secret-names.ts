import { own, type Rec } from '../json/record.ts';

/** The name of a field or header that holds a secret. */
export const secretName =
  /^(?:proxy-)?authorization$|api[-_ ]?key$|^x-.*(?:key|token)$|(?:access|auth|bearer|refresh|bot|api|secret)[-_ ]?token$|^token$|secret(?:[-_ ]?key)?$|^pass(?:word|wd|phrase)$|private[-_ ]?key$/i;

export const passwordName = /^pass(?:word|wd|phrase)$/i;

/** `{ name: 'Authorization', value: '…' }` */
export function labelOf(value: Rec): string | undefined {
  for (const key of ['name', 'key', 'fieldId', 'displayName']) {
    const label = own(value, key);
    if (typeof label === 'string') return label;
  }
  return undefined;
}
