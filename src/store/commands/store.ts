import type { Place } from '../../host/place.ts';
import type { Verbs } from '../../kernel/command.ts';
import { backupVerb } from './backup.ts';
import { migrateVerb } from './migrate.ts';
import { restoreVerb } from './restore.ts';
import { statusVerb } from './status.ts';

export function storeCommand(place: Place): Verbs {
  return {
    example: 'sluice store status',
    byDefault: 'status',
    verbs: {
      status: statusVerb(place),
      backup: backupVerb(place),
      restore: restoreVerb(place),
      migrate: migrateVerb(place),
    },
  };
}
