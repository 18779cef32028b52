import { actions } from './actions.ts';
import { checks } from './checks.ts';
import { issues } from './issues.ts';
import { pulls } from './pulls.ts';
import { releases } from './releases.ts';
import type { Topic } from './topic.ts';

/** What people and machines do in repositories. */
export const workTopics: readonly Topic[] = [issues, pulls, checks, actions, releases];
