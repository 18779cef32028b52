import type { AnyTool } from '../../kernel/tool.ts';
import type { Kuma } from './connection.ts';
import { addMonitor } from './tools/add-monitor.ts';
import { addStatusPage } from './tools/add-status-page.ts';
import { deleteMonitor } from './tools/delete-monitor.ts';
import { deleteStatusPage } from './tools/delete-status-page.ts';
import { editMonitor } from './tools/edit-monitor.ts';
import { endIncident } from './tools/end-incident.ts';
import { getHeartbeats } from './tools/get-heartbeats.ts';
import { getMonitor } from './tools/get-monitor.ts';
import { getStatusPage } from './tools/get-status-page.ts';
import { getSummary } from './tools/get-summary.ts';
import { listIncidents } from './tools/list-incidents.ts';
import { listMaintenance } from './tools/list-maintenance.ts';
import { listMonitors } from './tools/list-monitors.ts';
import { listNotifications } from './tools/list-notifications.ts';
import { listStatusPages } from './tools/list-status-pages.ts';
import { listTags } from './tools/list-tags.ts';
import { pauseMonitor } from './tools/pause-monitor.ts';
import { postIncident } from './tools/post-incident.ts';
import { resumeMonitor } from './tools/resume-monitor.ts';
import { saveStatusPage } from './tools/save-status-page.ts';
import { tagMonitor } from './tools/tag-monitor.ts';

export const uptimekumaTools: readonly AnyTool<Kuma>[] = [
  getSummary,
  listMonitors,
  getMonitor,
  getHeartbeats,
  listIncidents,
  addMonitor,
  editMonitor,
  pauseMonitor,
  resumeMonitor,
  deleteMonitor,
  listTags,
  tagMonitor,
  listStatusPages,
  getStatusPage,
  addStatusPage,
  saveStatusPage,
  deleteStatusPage,
  postIncident,
  endIncident,
  listNotifications,
  listMaintenance,
];
