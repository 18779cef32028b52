import { AppError } from '../../kernel/errors.ts';

/** Whether n8n refuses this to the API key, to its user or to the licence. */
const isRefused = (error: unknown): error is AppError =>
  error instanceof AppError && (error.data?.status === 403 || error.code === 'forbidden');

/** What is read, or undefined if n8n refuses it: then the rest of an answer is still worth having. */
export async function unlessRefused<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isRefused(error)) return undefined;
    throw error;
  }
}
