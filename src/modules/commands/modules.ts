import type { Command } from '../../kernel/command.ts';

export const modulesCommand = (_: unknown): Command => {
  throw new Error('to come');
};
