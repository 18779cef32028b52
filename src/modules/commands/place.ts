import type { None, PlaceOf } from '../../host/part.ts';
import type { modulesSettings } from '../settings.ts';

export type ModulesPlace = Pick<PlaceOf<typeof modulesSettings, None>, 'home' | 'cwd' | 'terminal' | 'load'>;
