import type { Backend } from 'openworkflow/internal';

/** Renewals that may fail until the lease is lost. */
const RENEWALS = 4;

/**
 * The engine's lease is 30 s, and it is renewed every 15 s. This wraps a backend so that a lease ends sooner, because it is
 * renewed more often: a run of a dead process waits for its lease to end.
 */
export function leasedFor(backend: Backend, leaseMs: number): Backend & Disposable {
  const renewing = new Map<string, NodeJS.Timeout>();

  function renew(workflowRunId: string, workerId: string): void {
    const again = () =>
      // A lease that cannot be renewed is lost, and whoever takes over sees what was begun.
      void backend.extendWorkflowRunLease({ workflowRunId, workerId, leaseDurationMs: leaseMs }).catch(() => {});
    stop(workflowRunId);
    renewing.set(workflowRunId, setInterval(again, leaseMs / RENEWALS).unref());
  }

  function stop(workflowRunId: string): void {
    clearInterval(renewing.get(workflowRunId));
    renewing.delete(workflowRunId);
  }

  const ending =
    <P extends { readonly workflowRunId: string }, T>(end: (params: P) => Promise<T>) =>
    async (params: P): Promise<T> => {
      try {
        return await end(params);
      } finally {
        stop(params.workflowRunId);
      }
    };

  return {
    createWorkflowRun: (params) => backend.createWorkflowRun(params),
    getWorkflowRun: (params) => backend.getWorkflowRun(params),
    listWorkflowRuns: (params) => backend.listWorkflowRuns(params),
    countWorkflowRuns: () => backend.countWorkflowRuns(),
    async claimWorkflowRun({ workerId }) {
      const claimed = await backend.claimWorkflowRun({ workerId, leaseDurationMs: leaseMs });
      if (claimed) renew(claimed.id, workerId);
      return claimed;
    },
    extendWorkflowRunLease: (params) => backend.extendWorkflowRunLease({ ...params, leaseDurationMs: leaseMs }),
    sleepWorkflowRun: ending((params) => backend.sleepWorkflowRun(params)),
    completeWorkflowRun: ending((params) => backend.completeWorkflowRun(params)),
    failWorkflowRun: ending((params) => backend.failWorkflowRun(params)),
    rescheduleWorkflowRunAfterFailedStepAttempt: ending((params) =>
      backend.rescheduleWorkflowRunAfterFailedStepAttempt(params),
    ),
    cancelWorkflowRun: (params) => backend.cancelWorkflowRun(params),
    createStepAttempt: (params) => backend.createStepAttempt(params),
    getStepAttempt: (params) => backend.getStepAttempt(params),
    listStepAttempts: (params) => backend.listStepAttempts(params),
    completeStepAttempt: (params) => backend.completeStepAttempt(params),
    failStepAttempt: (params) => backend.failStepAttempt(params),
    setStepAttemptChildWorkflowRun: (params) => backend.setStepAttemptChildWorkflowRun(params),
    sendSignal: (params) => backend.sendSignal(params),
    getSignalDelivery: (params) => backend.getSignalDelivery(params),
    stop: () => backend.stop(),
    [Symbol.dispose]() {
      for (const id of renewing.keys()) stop(id);
    },
  };
}
