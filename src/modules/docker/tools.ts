import type { AnyTool } from '../../kernel/tool.ts';
import type { Docker } from './connection.ts';
import { checkHealth } from './tools/check-health.ts';
import { controlProject } from './tools/control-project.ts';
import { execCommand } from './tools/exec-command.ts';
import { getDiskUsage } from './tools/get-disk-usage.ts';
import { getInfo } from './tools/get-info.ts';
import { getLogs } from './tools/get-logs.ts';
import { getStats } from './tools/get-stats.ts';
import { inspectContainerTool } from './tools/inspect-container.ts';
import { inspectImageTool } from './tools/inspect-image.ts';
import { inspectNetwork } from './tools/inspect-network.ts';
import { inspectVolume } from './tools/inspect-volume.ts';
import { listChanges } from './tools/list-changes.ts';
import { listContainers } from './tools/list-containers.ts';
import { listEvents } from './tools/list-events.ts';
import { listImages } from './tools/list-images.ts';
import { listNetworks } from './tools/list-networks.ts';
import { listProcesses } from './tools/list-processes.ts';
import { listProjects } from './tools/list-projects.ts';
import { listVolumes } from './tools/list-volumes.ts';
import { pauseContainer } from './tools/pause-container.ts';
import { pruneImages } from './tools/prune-images.ts';
import { pullImage } from './tools/pull-image.ts';
import { removeContainer } from './tools/remove-container.ts';
import { removeImage } from './tools/remove-image.ts';
import { removeVolume } from './tools/remove-volume.ts';
import { restartContainer } from './tools/restart-container.ts';
import { runContainer } from './tools/run-container.ts';
import { signalContainer } from './tools/signal-container.ts';
import { startContainer } from './tools/start-container.ts';
import { stopContainer } from './tools/stop-container.ts';
import { unpauseContainer } from './tools/unpause-container.ts';

export const dockerTools: readonly AnyTool<Docker>[] = [
  listContainers,
  inspectContainerTool,
  getLogs,
  getStats,
  listProcesses,
  listChanges,
  startContainer,
  stopContainer,
  restartContainer,
  pauseContainer,
  unpauseContainer,
  signalContainer,
  removeContainer,
  runContainer,
  execCommand,
  listProjects,
  controlProject,
  listImages,
  inspectImageTool,
  pullImage,
  removeImage,
  pruneImages,
  listNetworks,
  inspectNetwork,
  listVolumes,
  inspectVolume,
  removeVolume,
  listEvents,
  getInfo,
  getDiskUsage,
  checkHealth,
];
