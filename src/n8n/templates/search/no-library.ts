import { AppError } from '../../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../../kernel/nearest-names.ts';
import type { OwnLibrary } from '../own/library.ts';
import type { PublicLibrary } from '../public/library.ts';
import { PUBLIC } from '../settings.ts';

/** The error for a library that is not configured. */
export function noLibrary(name: string, own: readonly OwnLibrary[], published: PublicLibrary | undefined): AppError {
  const names = [...(published ? [PUBLIC] : []), ...own.map((one) => one.name)];
  const advice = didYouMean(nearestNames(name, names), names.length > 0 ? `There is ${names.join(', ')}.` : '');
  return new AppError(
    'not_found',
    `There is no template library ${shown(name)}. ${advice} templates.libraries in sluice.yaml adds folders.`,
  );
}
