import { z } from 'zod';
import { toolsFor } from '../../kernel/tool.ts';
import type { Monitor } from './answers.ts';
import type { Kuma } from './connection.ts';
import { maskedText } from './masked.ts';
import { type State, STATES, stateOf, targetOf } from './monitors.ts';
import { shortened } from '../shown.ts';

export const uptimekumaTool = toolsFor<Kuma>({ category: 'uptimekuma' });

export const monitorInput = z
  .union([z.int().min(1), z.string().trim().min(1).max(300)])
  .describe('Name or id of the monitor');
export const slugInput = z.string().trim().min(1).max(200).describe('Slug of the status page, the end of its address');
export const cursorInput = z.string().max(500).optional().describe('From the page before');
export const cursorOutput = z.string().optional().describe('For the next page');
export const stateOutput = z.enum(STATES);

/** An answer of which only the success counts. */
export const done = z.looseObject({});

export const isoTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
export const percent = (share: number): number => Math.round(share * 1e4) / 100;

/** Texts of checks may quote addresses with credentials. */
export const messageShown = (text: string, most = 200): string => shortened(maskedText(text.trim()), most);

export const named = ({ name, id }: Pick<Monitor, 'id' | 'name'>): string => `"${shortened(name, 150)}" (id ${id})`;

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

export const monitorOutput = z.object({
  id: z.int(),
  name: z.string(),
  type: z.string(),
  state: stateOutput,
  target: z.string().optional(),
  group: z.string().optional(),
  tags: z.array(z.string()).optional(),
  uptime_24h: z.number().optional().describe('Percent'),
  uptime_30d: z.number().optional().describe('Percent'),
  ping: z.number().optional().describe('Average of 24 hours in ms'),
  last_check: z.string().optional(),
  message: z.string().optional().describe('Of the last check'),
});

/** A monitor as lists show it. */
export function shownMonitor(
  { pushed, reach }: Kuma,
  monitor: Monitor,
): z.input<typeof monitorOutput> & { state: State } {
  const { id, name, type, parent, tags } = monitor;
  const { day, month } = pushed.uptimes.get(id) ?? {};
  const beat = pushed.lastBeats.get(id);
  const ping = pushed.pings.get(id);
  const group = parent ? pushed.monitors.get(parent) : undefined;
  const target = targetOf(monitor);
  return {
    id,
    name: shortened(name, 150),
    type,
    state: stateOf(monitor, pushed),
    ...(target && { target: shortened(maskedText(target), 200) }),
    ...(group && reach.has(group) && { group: shortened(group.name, 100) }),
    ...(tags.length > 0 && { tags: tags.slice(0, 10).map(tagText) }),
    ...(day !== undefined && { uptime_24h: percent(day) }),
    ...(month !== undefined && { uptime_30d: percent(month) }),
    ...(ping !== undefined && { ping }),
    ...(beat && { last_check: isoTime(beat.at) }),
    ...(beat && beat.message !== '' && { message: messageShown(beat.message, 150) }),
  };
}

const tagText = ({ name, value }: Monitor['tags'][number]): string => shortened(value ? `${name}: ${value}` : name, 60);
