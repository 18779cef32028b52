import type { AnyTool } from '../../kernel/tool.ts';
import type { OpenRouter } from './connection.ts';
import { chat } from './tools/chat.ts';
import { compareModels } from './tools/compare-models.ts';
import { getAnswer } from './tools/get-answer.ts';
import { getCredits } from './tools/get-credits.ts';
import { getGeneration } from './tools/get-generation.ts';
import { getModel } from './tools/get-model.ts';
import { getUsage } from './tools/get-usage.ts';
import { listModels } from './tools/list-models.ts';
import { listProviders } from './tools/list-providers.ts';

export const openrouterTools: readonly AnyTool<OpenRouter>[] = [
  chat,
  getAnswer,
  listModels,
  getModel,
  compareModels,
  getUsage,
  getCredits,
  getGeneration,
  listProviders,
];
