import type { Property } from '../../nodes/description.ts';
import { versionOf } from '../subject/node-knowledge.ts';
import type { NodeView } from '../subject/subject.ts';

export interface Limit {
  readonly most: number;
  /** What n8n does above the limit. */
  readonly beyond: string;
}

const REFUSED = 'n8n refuses the schedule';
const ANY = Number.POSITIVE_INFINITY;

/** From version 1.3 on, n8n checks these limits before it starts. */
const limits: ReadonlyMap<string, Limit> = new Map([
  ['secondsInterval', { most: 59, beyond: REFUSED }],
  ['minutesInterval', { most: 59, beyond: REFUSED }],
  ['hoursInterval', { most: 23, beyond: REFUSED }],
  ['daysInterval', { most: 31, beyond: REFUSED }],
  ['weeksInterval', { most: ANY, beyond: REFUSED }],
  ['monthsInterval', { most: ANY, beyond: REFUSED }],
]);

/**
 * Older versions check nothing. They count minutes continuously, seconds within one minute, and compare hours by the
 * hour of the day, which is the same after 24 hours.
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
