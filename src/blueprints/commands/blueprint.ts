import type { Place } from '../../host/place.ts';
import type { Verbs } from '../../kernel/command.ts';

export function blueprintCommand(_place: Place): Verbs {
  return { example: 'sluice blueprint list', verbs: {} };
}
