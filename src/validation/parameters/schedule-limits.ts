import type { Property } from '../../nodes/description.ts';
import { versionOf } from '../subject/node-knowledge.ts';
import type { NodeView } from '../subject/subject.ts';

export interface Limit {
  readonly most: number;
  /** What n8n does beyond it. */
  readonly beyond: string;
}

const REFUSED = 'n8n refuses the schedule';
const ANY = Number.POSITIVE_INFINITY;

/** From 1.3 on: what n8n makes of it is compared with these before it starts. */
const limits: ReadonlyMap<string, Limit> = new Map([
  ['secondsInterval', { most: 59, beyond: REFUSED }],
  ['minutesInterval', { most: 59, beyond: REFUSED }],
  ['hoursInterval', { most: 23, beyond: REFUSED }],
  ['daysInterval', { most: 31, beyond: REFUSED }],
  ['weeksInterval', { most: ANY, beyond: REFUSED }],
  ['monthsInterval', { most: ANY, beyond: REFUSED }],
]);

/**
 * Before that nothing is compared. Minutes are counted through, seconds are those of one minute, and hours are told
 * apart by the hour of the day: after 24 of them it is the same one.
 */
const earlierLimits: ReadonlyMap<string, Limit> = new Map([
  ...limits,
  ['secondsInterval', { most: 60, beyond: 'it runs every minute' }],
  ['minutesInterval', { most: ANY, beyond: '' }],
  ['hoursInterval', { most: 23, beyond: 'it runs once and never again' }],
  ['daysInterval', { most: 364, beyond: 'it runs once and never again' }],
]);

export function isInterval({ type }: NodeView, { name }: Property): boolean {
  return type === 'n8n-nodes-base.scheduleTrigger' && limits.has(name);
}

export function limitOf(node: NodeView, { name }: Property): Limit {
  return (versionOf(node) < 1.3 ? earlierLimits : limits).get(name) as Limit;
}
