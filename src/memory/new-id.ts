import { randomBytes } from 'node:crypto';

/** Sorts by time, so that ids made later are later. */
export const newId = (at: number): string => `m${at.toString(36)}${randomBytes(6).toString('hex')}`;
