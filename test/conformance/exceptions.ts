import type { RequirementSet } from './requirements.ts';
import type { BackendEras } from './service.ts';

/** A scenario that cannot pass through the gateway in front of a backend of one era, and why. */
export interface Exception {
  readonly set: RequirementSet;
  readonly backend: BackendEras;
  readonly scenario: string;
  readonly reason: string;
}

const NO_TASKS = 'The tasks extension does not exist before 2026-07-28: a 2025 backend has no tasks to relay.';

const tasks = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
];

export const exceptions: readonly Exception[] = [
  ...tasks.map((scenario): Exception => ({ set: '2026-07-28', backend: 'legacy', scenario, reason: NO_TASKS })),
  {
    set: '2026-07-28',
    backend: 'legacy',
    scenario: 'input-required-result-ignore-extra-params',
    reason:
      'It answers before it is asked. A 2025 backend asks while the call runs, so the first round can only bring its question.',
  },
  {
    set: '2026-07-28',
    backend: 'legacy',
    scenario: 'server-stateless',
    reason:
      'Two of its checks call a tool that refuses clients without sampling. A 2025 backend learns of capabilities once, at initialize, and a shared connection announces the gateway’s own.',
  },
  {
    set: '2026-07-28',
    backend: 'legacy',
    scenario: 'input-required-result-basic-elicitation',
    reason:
      'It expects the question under the key user_name. The questions of a 2025 backend have no keys; the gateway numbers them.',
  },
];

/** Client scenarios of extensions to OAuth that the gateway does not have; no set scores them. */
const extensions: ReadonlySet<string> = new Set([
  'auth/client-credentials-jwt',
  'auth/enterprise-managed-authorization',
  'auth/dpop',
  'auth/dpop-nonce',
  'auth/wif-jwt-bearer',
]);

export const notRun = {
  applies: (scenario: string) => extensions.has(scenario),
  reason: 'extensions that the gateway does not have',
};
