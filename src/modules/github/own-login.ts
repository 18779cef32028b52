import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { GitHub, Question } from './connection.ts';

const user = z.object({ login: z.string() });

/** Whose token it is; undefined for the token of an app, which belongs to no user. */
export async function ownLogin(github: GitHub, question: Question): Promise<string | undefined> {
  try {
    return (await github.json(user, ['user'], question)).login;
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return undefined;
    throw error;
  }
}
