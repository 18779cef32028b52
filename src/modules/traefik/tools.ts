import { explainRequest } from './tools/explain-request.ts';
import { findProblems } from './tools/find-problems.ts';
import { getMiddleware } from './tools/get-middleware.ts';
import { getOverview } from './tools/get-overview.ts';
import { getRouter } from './tools/get-router.ts';
import { getService } from './tools/get-service.ts';
import { listEntrypoints } from './tools/list-entrypoints.ts';
import { listMiddlewares } from './tools/list-middlewares.ts';
import { listRouters } from './tools/list-routers.ts';
import { listServices } from './tools/list-services.ts';

export const traefikTools = [
  getOverview,
  explainRequest,
  findProblems,
  listRouters,
  getRouter,
  listServices,
  getService,
  listMiddlewares,
  getMiddleware,
  listEntrypoints,
];
