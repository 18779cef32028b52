/** The rules of the Pod Security Standard "restricted", and Sluice's own: numeric users, limits, no token of the cluster. */
import { type Container, containersOf, type PodSpec, type Workload } from './manifest.ts';

export function restrictedProblems(workload: Workload): string[] {
  const pod = workload.spec.template.spec;
  return [...podProblems(pod), ...containersOf(workload).flatMap((one) => containerProblems(one, pod))];
}

const volumeTypes = ['configMap', 'emptyDir', 'persistentVolumeClaim', 'projected', 'secret'];

function podProblems(pod: PodSpec): string[] {
  const { securityContext: security = {} } = pod;
  const seccomp = security.seccompProfile as { type?: string } | undefined;
  const hostFields = ['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => pod[name] === true);
  return [
    ...hostFields.map((name) => `the pod sets ${name}`),
    ...(security.runAsNonRoot === true ? [] : ['the pod may run as root']),
    ...(typeof security.runAsUser === 'number' && security.runAsUser > 0 ? [] : ['the pod has no numeric user']),
    ...(seccomp?.type === 'RuntimeDefault' ? [] : ['the pod has no seccomp profile']),
    ...(pod.automountServiceAccountToken === false ? [] : ['the pod gets a token of the cluster']),
    ...(pod.volumes ?? [])
      .filter((volume) => !volumeTypes.some((type) => type in volume))
      .map(({ name }) => `the volume ${name} has a type that is not allowed`),
  ];
}

function containerProblems({ name, securityContext: security = {}, resources, ports = [] }: Container, pod: PodSpec) {
  const capabilities = security.capabilities ?? {};
  const mounted = (pod.volumes ?? []).length > 0;
  const rules: [boolean, string][] = [
    [security.allowPrivilegeEscalation === false, 'may escalate privileges'],
    [security.privileged !== true, 'is privileged'],
    [capabilities.drop?.includes('ALL') ?? false, 'keeps capabilities'],
    [(capabilities.add ?? []).length === 0, 'adds capabilities'],
    [security.runAsUser !== 0, 'runs as root'],
    [typeof security.readOnlyRootFilesystem === 'boolean', 'does not say whether its root is read-only'],
    [mounted && ports.every((port) => !('hostPort' in port)), 'has a port of the host'],
    [resources?.requests?.memory !== undefined && resources.limits?.memory !== undefined, 'has no limit of memory'],
  ];
  return rules.filter(([holds]) => !holds).map(([, problem]) => `${name} ${problem}`);
}
