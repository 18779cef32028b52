import { AppError } from '../kernel/errors.ts';

/**
 * Loads an optional dependency: `await driver('mongodb', () => import('mongodb'))`. Somebody may have installed Sluice
 * without it.
 */
export async function driver<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new AppError(
      'unavailable',
      `The package ${name} is not installed, and this service needs it. Run \`npm install ${name}\` where Sluice is installed (with -g if Sluice is), then try again.`,
      { cause: error },
    );
  }
}
