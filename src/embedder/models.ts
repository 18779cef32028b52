import { AppError } from '../kernel/errors.ts';
import type { ModelChoice } from './choice.ts';
import type { Embedder } from './embedder.ts';
import { packagedModel } from './local-model.ts';
import type { TextModel } from './text-model.ts';
import { urlModel } from './url-model.ts';

/** The model of a choice. */
export function openModel(choice: ModelChoice, load: () => Promise<Embedder>): TextModel {
  switch (choice.kind) {
    case 'packaged':
      return packagedModel(load);
    case 'url':
      return urlModel(choice);
    default:
      throw new AppError('unsupported', `Models by ${choice.kind} are not there yet. Write embedder: packaged.`);
  }
}
