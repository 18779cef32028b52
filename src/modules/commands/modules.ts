import { configOption, textIn } from '../../cli/values.ts';
import type { Command } from '../../kernel/command.ts';
import type { ModulesPlace } from './place.ts';

export function modulesCommand(place: ModulesPlace): Command {
  return {
    example: 'sluice modules',
    byDefault: 'list',
    verbs: {
      list: {
        summary: 'Shows each service: whether it is configured and answers, and what it needs',
        usage: '[--json]',
        example: 'sluice modules',
        options: { config: configOption, json: { type: 'boolean', describe: 'Print JSON' } },
        run: async ({ values }) => {
          const { listModules } = await import('./list.ts');
          return await listModules(place, { file: textIn(values, 'config'), json: values.json === true });
        },
      },
      new: {
        summary: 'Writes a module of your own, ready to be changed',
        usage: 'NAME',
        example: 'sluice modules new weather',
        positionals: [1, 1],
        options: { config: configOption },
        run: async ({ values, positionals: [name = ''] }) => {
          const { newModule } = await import('./new.ts');
          return await newModule(place, name, textIn(values, 'config'));
        },
      },
    },
  };
}
