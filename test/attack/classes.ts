import type { AttackClass } from './attack.ts';
import { approvalClass } from './classes/approvals.ts';
import { backendClass } from './classes/backends.ts';
import { badCredentialClass } from './classes/bad-credentials.ts';
import { claimClass } from './classes/claims.ts';
import { consoleClass } from './classes/console.ts';
import { deputyClass } from './classes/deputies.ts';
import { errorClass } from './classes/error-leaks.ts';
import { giantAnswerClass, giantGraphClass } from './classes/giant-answers.ts';
import { givenSecretClass } from './classes/given-secrets.ts';
import { globClass } from './classes/globs.ts';
import { healthClass } from './classes/health-pages.ts';
import { hostClass } from './classes/hosts.ts';
import { jsonClass } from './classes/json.ts';
import { everyToolClass, latencyClass } from './classes/latency.ts';
import { mountClass } from './classes/mounts.ts';
import { noCredentialClass } from './classes/no-credential.ts';
import { originClass } from './classes/origins.ts';
import { ownSchemaClass } from './classes/own-schema.ts';
import { pathClass } from './classes/paths.ts';
import { proxyClass } from './classes/proxy-headers.ts';
import { heapClass, quotaClass } from './classes/quotas.ts';
import { rawClass } from './classes/raw-requests.ts';
import { readOnlyClass } from './classes/read-only.ts';
import { registrationClass } from './classes/registration.ts';
import { replayClass } from './classes/replays.ts';
import { resourceClass } from './classes/resources.ts';
import { restartClass, sessionClass } from './classes/sessions.ts';
import { pageClass, runApprovalClass } from './classes/run-approvals.ts';
import { sqlClass } from './classes/sql.ts';
import { ssrfClass } from './classes/ssrf.ts';
import { stepUpClass } from './classes/step-up.ts';
import { tokenClass } from './classes/tokens.ts';

/** In sending order: hostile servers come late, because they change what everybody is offered. */
export const classes: readonly AttackClass[] = [
  originClass,
  hostClass,
  proxyClass,
  rawClass,
  noCredentialClass,
  badCredentialClass,
  sessionClass,
  consoleClass,
  approvalClass,
  deputyClass,
  runApprovalClass,
  pageClass,
  pathClass,
  globClass,
  resourceClass,
  healthClass,
  errorClass,
  givenSecretClass,
  readOnlyClass,
  ssrfClass,
  jsonClass,
  tokenClass,
  claimClass,
  stepUpClass,
  registrationClass,
  backendClass,
  restartClass,
  replayClass,
  ownSchemaClass,
  sqlClass,
  giantAnswerClass,
  giantGraphClass,
  latencyClass,
  everyToolClass,
  mountClass,
  quotaClass,
  heapClass,
];
