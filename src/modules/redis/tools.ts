import type { AnyTool } from '../../kernel/tool.ts';
import type { Redis } from './connection.ts';
import { ackEntries } from './tools/ack-entries.ts';
import { addEntry } from './tools/add-entry.ts';
import { addMembers } from './tools/add-members.ts';
import { addScores } from './tools/add-scores.ts';
import { countKeys } from './tools/count-keys.ts';
import { createGroup } from './tools/create-group.ts';
import { deleteEntries } from './tools/delete-entries.ts';
import { deleteFields } from './tools/delete-fields.ts';
import { deleteGroup } from './tools/delete-group.ts';
import { deleteJson } from './tools/delete-json.ts';
import { deleteKeys } from './tools/delete-keys.ts';
import { deleteMatching } from './tools/delete-matching.ts';
import { findBigKeys } from './tools/find-big-keys.ts';
import { getDatabaseSize } from './tools/get-database-size.ts';
import { getHash } from './tools/get-hash.ts';
import { getJson } from './tools/get-json.ts';
import { getKey } from './tools/get-key.ts';
import { getKeyInfo } from './tools/get-key-info.ts';
import { getList } from './tools/get-list.ts';
import { getMany } from './tools/get-many.ts';
import { getMemoryReport } from './tools/get-memory-report.ts';
import { getServerInfo } from './tools/get-server-info.ts';
import { getSet } from './tools/get-set.ts';
import { getSlowLog } from './tools/get-slow-log.ts';
import { getSortedSet } from './tools/get-sorted-set.ts';
import { getStreamInfo } from './tools/get-stream-info.ts';
import { incrementKey } from './tools/increment-key.ts';
import { listChannels } from './tools/list-channels.ts';
import { listClients } from './tools/list-clients.ts';
import { popList } from './tools/pop-list.ts';
import { publishMessage } from './tools/publish-message.ts';
import { pushList } from './tools/push-list.ts';
import { readGroup } from './tools/read-group.ts';
import { readStream } from './tools/read-stream.ts';
import { removeExpiry } from './tools/remove-expiry.ts';
import { removeListItems } from './tools/remove-list-items.ts';
import { removeMembers } from './tools/remove-members.ts';
import { renameKey } from './tools/rename-key.ts';
import { scanKeysTool } from './tools/scan-keys.ts';
import { setExpiry } from './tools/set-expiry.ts';
import { setHash } from './tools/set-hash.ts';
import { setJson } from './tools/set-json.ts';
import { setKey } from './tools/set-key.ts';

export const redisTools: readonly AnyTool<Redis>[] = [
  getKey,
  getMany,
  setKey,
  incrementKey,
  scanKeysTool,
  countKeys,
  findBigKeys,
  getKeyInfo,
  setExpiry,
  removeExpiry,
  renameKey,
  deleteKeys,
  deleteMatching,
  getHash,
  setHash,
  deleteFields,
  getList,
  pushList,
  popList,
  removeListItems,
  getSet,
  addMembers,
  getSortedSet,
  addScores,
  removeMembers,
  readStream,
  addEntry,
  deleteEntries,
  getStreamInfo,
  createGroup,
  deleteGroup,
  readGroup,
  ackEntries,
  getJson,
  setJson,
  deleteJson,
  publishMessage,
  listChannels,
  getServerInfo,
  getMemoryReport,
  getSlowLog,
  listClients,
  getDatabaseSize,
];
