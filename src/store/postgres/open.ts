import { AppError } from '../../kernel/errors.ts';
import type { PostgresPlace } from '../settings.ts';
import type { Store, StoreOptions } from '../store.ts';

export async function openPostgres(_place: PostgresPlace, _options: StoreOptions): Promise<Store> {
  throw new AppError('unsupported', 'PostgreSQL cannot be the store yet.');
}
