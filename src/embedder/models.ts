import type { ModelChoice } from './choice.ts';
import { directoryModel } from './directory-model.ts';
import type { Embedder } from './embedder.ts';
import { packagedModel } from './local-model.ts';
import type { TextModel } from './text-model.ts';
import { urlModel } from './url-model.ts';

export interface ModelPlace {
  /** Where `sluice memory model fetch` puts what it downloads. */
  readonly cache: string;
  load(): Promise<Embedder>;
}

/** The model of a choice. */
export function openModel(choice: ModelChoice, { cache, load }: ModelPlace): TextModel {
  switch (choice.kind) {
    case 'packaged':
      return packagedModel(load);
    case 'directory':
      return directoryModel(choice.path, cache, load);
    case 'url':
      return urlModel(choice);
  }
}
