/** Holds objects against Kubernetes' own schemas, as a server does that is asked to validate strictly. */
import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';

const models = new Map(
  [
    ConfigMap,
    Deployment,
    HorizontalPodAutoscaler,
    HTTPRoute,
    Ingress,
    NetworkPolicy,
    PersistentVolumeClaim,
    PodDisruptionBudget,
    Secret,
    Service,
    ServiceAccount,
    ServiceMonitor,
  ].map((model) => [`${model.apiVersion} ${model.kind}`, model.prototype]),
);

/** What is wrong with an object: fields of the wrong type, missing ones, and ones that Kubernetes does not know. */
export function schemaProblems(object: { apiVersion: string; kind: string }): string[] {
  const name = `${object.apiVersion} ${object.kind}`;
  const model = models.get(name);
  if (!model) return [`There is no schema of ${name}`];
  const unread = new Set<string>();
  const read = Object.setPrototypeOf(watched(object, '', unread), model) as typeof model;
  try {
    read.validate();
  } catch (error) {
    return [(error as Error).message];
  }
  return [...unread].map((path) => `${path}: unknown field`);
}

/**
 * The schemas are compiled, and accept fields that they do not know. But they read every field that they do know, so what
 * nobody has read is unknown.
 */
function watched(value: unknown, path: string, unread: Set<string>): unknown {
  if (value === null || typeof value !== 'object') return value;
  const children = Object.entries(value).map(([key, child]) => {
    const at = `${path}/${key}`;
    if (!Array.isArray(value)) unread.add(at);
    return [key, watched(child, at, unread)] as const;
  });
  const copy = Array.isArray(value) ? children.map(([, child]) => child) : Object.fromEntries(children);
  return new Proxy(copy, {
    get(target, key, receiver) {
      unread.delete(`${path}/${String(key)}`);
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
}
