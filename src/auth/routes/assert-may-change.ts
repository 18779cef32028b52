import { AppError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';

/** A read-only key changes nothing, also if it is an admin's. */
export function assertMayChange({ readOnly }: Principal): void {
  if (readOnly) throw new AppError('forbidden', 'Your key is read-only, so it cannot change who has access.');
}
