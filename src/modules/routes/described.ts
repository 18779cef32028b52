import { answered } from '../../kernel/described.ts';
import { moduleAnswer, modulesAnswer } from './answers.ts';

const tags = ['modules'];

/** What OpenAPI says about the routes, by operation. */
export const described = {
  modules: {
    operationId: 'modules',
    summary: 'The services of the stack: their state, and what those need that are not configured',
    tags,
    responses: answered(modulesAnswer),
  },
  checkModule: {
    operationId: 'checkModule',
    summary: 'Asks a service whether it works. It answers with its state, also if it does not work',
    tags,
    responses: answered(moduleAnswer),
  },
};
