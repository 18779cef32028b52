import type { Place } from '../../host/place.ts';
import type { Verbs } from '../../kernel/command.ts';
import { definitionVerbs } from './definition-verbs.ts';
import { runVerbs } from './run-verbs.ts';

/** Blueprints from the command line. */
export function blueprintCommand(place: Place): Verbs {
  const { list, show, validate, plan, save, delete: remove } = definitionVerbs(place);
  return {
    example: 'sluice blueprint deploy onboard-project --input project=shop',
    verbs: { list, show, validate, plan, ...runVerbs(place), save, delete: remove },
  };
}
