/** What a module of your own can import, as `sluice/module`. */
export { z } from 'zod';
export { AppError } from '../kernel/errors.ts';
export { fittingItems } from '../kernel/reply-size.ts';
export { toolsFor } from '../kernel/tool.ts';
export { allowed, allowList } from './allowed.ts';
export { addressOf } from './failures.ts';
export { type Http, httpTo, HttpError, segment } from './http.ts';
export { module } from './module.ts';
export { shown, shortened } from './shown.ts';
