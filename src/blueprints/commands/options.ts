import { configWithoutGateway, jsonOption } from '../../cli/values.ts';
import type { CommandOption, Options } from '../../kernel/command.ts';

/** Of every verb. */
export const more: Options = { config: configWithoutGateway, json: jsonOption };

export const yes: CommandOption = { type: 'boolean', short: 'y', describe: 'Go ahead without asking' };
