/**
 * A stand-in for Uptime Kuma, written from the server's source (server/server.js, server/client.js,
 * server/socket-handlers, server/model and server/routers of 1.23.16 and 2.5.3): events, order of arguments, answers,
 * and what is pushed before and after an answer. It keeps state, and remembers requests that a real one would not
 * understand.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, type Socket } from 'socket.io';
import { totpCode } from '../../../src/modules/uptimekuma/totp.ts';
import { columnsOf } from './columns.ts';

type Row = Record<string, unknown>;
type Answer = (answer: unknown) => void;

export interface KumaOptions {
  readonly version?: '2.5.3' | '1.23.16';
  readonly user?: { readonly name: string; readonly password: string };
  /** Authentication is switched off. */
  readonly open?: boolean;
  /** Nobody has created a user yet. */
  readonly fresh?: boolean;
  /** Two-factor authentication, with this secret in base32. */
  readonly totp?: string;
  /** How many logins it takes in a minute. */
  readonly logins?: number;
  /** Below which it is served, such as `/kuma`. */
  readonly path?: string;
}

export interface FakeKuma extends AsyncDisposable {
  readonly url: string;
  /** What a real server would not have understood. */
  readonly violations: readonly string[];
  /** The token with which a client can log in. */
  readonly token: string;
  /** Puts a monitor with heartbeats there, oldest first. */
  seed(monitor: Row, beats?: readonly Row[]): number;
  seedNotification(name: string, config: Row, isDefault?: boolean): number;
  seedMaintenance(title: string, monitors: readonly number[]): number;
  seedCertificate(monitor: number, info: Row): void;
  /** Answers an event in another way from now on; undefined as before. */
  answers(event: string, answer: ((callback: Answer) => void) | undefined): void;
  /** Closes all connections, as a restart does. */
  drop(): void;
  readonly logins: number;
  monitor(id: number): Row | undefined;
}

interface Page {
  readonly id: number;
  config: Row & { slug: string };
  groups: { id: number; name: string; monitorList: Row[] }[];
  incidents: Row[];
}

const ROOM = 'user';
const WITHOUT_LOGIN = new Set(['login', 'loginByToken', 'setup', 'needSetup']);

export const sqlTime = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace('Z', '');

export async function startKuma(options: KumaOptions = {}): Promise<FakeKuma> {
  const { version = '2.5.3', user = { name: 'admin', password: 'pa55-word!' }, path = '' } = options;
  const isOld = version.startsWith('1.');
  const columns = columnsOf(isOld);
  const token = randomBytes(16).toString('hex');
  const monitors = new Map<number, Row>();
  const beats = new Map<number, Row[]>();
  const certificates = new Map<number, string>();
  const tags = new Map<number, Row>();
  const worn: { tag_id: number; monitor_id: number; value: string }[] = [];
  const notifications: Row[] = [];
  const pages: Page[] = [];
  const maintenances = new Map<number, { row: Row; monitors: readonly number[] }>();
  const instead = new Map<string, (callback: Answer) => void>();
  const violations: string[] = [];
  const usedCodes = new Set<string>();
  let logins = 0;
  let lastId = 0;
  const nextId = () => (lastId += 1);

  const http = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://here');
    const at = url.pathname.startsWith(path) ? url.pathname.slice(path.length) : '';
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const [, slug] = /^\/api\/status-page\/([^/]+)$/.exec(at) ?? [];
    const [, pushToken] = /^\/api\/push\/([^/]+)$/.exec(at) ?? [];
    if (slug !== undefined) {
      const page = pages.find(({ config }) => config.slug === decodeURIComponent(slug).toLowerCase());
      // 1.23 leaves the request without an answer.
      if (!page) return isOld ? undefined : send(404, { status: 'fail', msg: 'Status Page Not Found' });
      return send(200, publicJson(page));
    }
    if (pushToken !== undefined) {
      const monitor = monitors.values().find((one) => one.pushToken === pushToken && one.active !== 0);
      if (!monitor) return send(404, { ok: false, msg: 'Monitor not found or not active.' });
      const status = url.searchParams.get('status') === 'down' ? 0 : 1;
      const ping = Number.parseFloat(url.searchParams.get('ping') ?? '');
      push(Number(monitor.id), {
        status,
        msg: url.searchParams.get('msg') ?? 'OK',
        ping: Number.isNaN(ping) ? null : ping,
      });
      return send(200, { ok: true });
    }
    return send(404, { ok: false, msg: 'Not Found' });
  });
  const io = new Server(http, { path: `${path}/socket.io`, maxHttpBufferSize: 1e8 });

  function push(id: number, beat: Row): void {
    const before = beats.get(id)?.at(-1);
    const row = {
      id: nextId(),
      monitor_id: id,
      time: sqlTime(Date.now()),
      duration: 0,
      ping: null,
      important: before === undefined || before.status !== beat.status ? 1 : 0,
      ...beat,
    };
    beats.set(id, [...(beats.get(id) ?? []), row]);
    io.to(ROOM).emit('heartbeat', beatJson(row));
    sendStats(id);
  }

  const beatJson = ({ monitor_id, status, time, msg, ping, important, duration }: Row): Row => ({
    monitorID: monitor_id,
    status,
    time,
    msg,
    ping,
    important: Boolean(important),
    duration,
  });

  function sendStats(id: number): void {
    const all = beats.get(id) ?? [];
    const pings = all.flatMap(({ ping }) => (typeof ping === 'number' ? [ping] : []));
    const uptime = all.filter(({ status }) => status === 1 || status === 3).length / Math.max(1, all.length);
    io.to(ROOM).emit('avgPing', id, pings.length === 0 ? null : pings.reduce((a, b) => a + b, 0) / pings.length);
    io.to(ROOM).emit('uptime', id, 24, uptime);
    io.to(ROOM).emit('uptime', id, 720, uptime);
    if (!isOld) io.to(ROOM).emit('uptime', id, '1y', uptime);
    if (certificates.has(id)) io.to(ROOM).emit('certInfo', id, certificates.get(id));
  }

  function isActive(monitor: Row): boolean {
    const parent = monitors.get(Number(monitor.parent));
    return monitor.active !== 0 && (!parent || isActive(parent));
  }

  function monitorJson(monitor: Row): Row {
    const id = Number(monitor.id);
    const parent = monitors.get(Number(monitor.parent));
    const {
      accepted_statuscodes_json,
      kafkaProducerBrokers,
      kafkaProducerSaslOptions,
      conditions,
      rabbitmqNodes,
      ...rest
    } = monitor;
    return {
      ...rest,
      accepted_statuscodes: JSON.parse(String(accepted_statuscodes_json)),
      kafkaProducerBrokers: JSON.parse(String(kafkaProducerBrokers)),
      kafkaProducerSaslOptions: JSON.parse(String(kafkaProducerSaslOptions)),
      ...(!isOld && { conditions: JSON.parse(String(conditions)), rabbitmqNodes: JSON.parse(String(rabbitmqNodes)) }),
      active: isActive(monitor),
      forceInactive: parent !== undefined && !isActive(parent),
      maintenance: false,
      pathName: parent ? `${String(parent.name)} / ${String(monitor.name)}` : monitor.name,
      childrenIDs: monitors
        .values()
        .filter((one) => one.parent === id)
        .map((one) => one.id)
        .toArray(),
      tags: worn
        .filter(({ monitor_id }) => monitor_id === id)
        .map((one) => ({ ...one, name: tags.get(one.tag_id)?.name, color: tags.get(one.tag_id)?.color })),
      includeSensitiveData: true,
    };
  }

  const monitorList = () => Object.fromEntries(monitors.values().map((one) => [String(one.id), monitorJson(one)]));
  const sendMonitor = (id: number) => {
    const monitor = monitors.get(id);
    if (isOld) io.to(ROOM).emit('monitorList', monitorList());
    else if (monitor) io.to(ROOM).emit('updateMonitorIntoList', { [id]: monitorJson(monitor) });
  };

  const publicJson = ({ config, groups, incidents }: Page) => {
    const pinned = incidents.filter(({ pin }) => pin);
    return {
      config,
      ...(isOld ? { incident: pinned[0] ?? null } : { incidents: pinned }),
      publicGroupList: groups.map(({ id, name, monitorList: list }, index) => ({
        id,
        name,
        weight: index + 1,
        monitorList: list.flatMap((one) => {
          const monitor = monitors.get(Number(one.id));
          return monitor
            ? [
                {
                  id: one.id,
                  name: monitor.name,
                  type: monitor.type,
                  sendUrl: one.sendUrl ?? false,
                  ...(one.sendUrl === true && { url: monitor.url }),
                },
              ]
            : [];
        }),
      })),
      maintenanceList: [],
    };
  };

  const sendInfo = (socket: Socket, withVersion: boolean) =>
    socket.emit('info', {
      primaryBaseURL: null,
      serverTimezone: 'UTC',
      serverTimezoneOffset: '+00:00',
      ...(withVersion && { version, latestVersion: null }),
    });

  function afterLogin(socket: Socket): void {
    void socket.join(ROOM);
    socket.data.user = 1;
    socket.emit('monitorList', monitorList());
    sendInfo(socket, true);
    socket.emit('maintenanceList', Object.fromEntries(maintenances.values().map(({ row }) => [String(row.id), row])));
    socket.emit('notificationList', notifications);
    socket.emit('proxyList', []);
    const later = () => {
      socket.emit('statusPageList', Object.fromEntries(pages.map(({ id, config }) => [String(id), config])));
      for (const id of monitors.keys())
        socket.emit('heartbeatList', String(id), (beats.get(id) ?? []).slice(-100), false);
      if (isOld)
        for (const id of monitors.keys())
          socket.emit('importantHeartbeatList', String(id), changesOf(id).map(beatJson), false);
      for (const id of monitors.keys()) sendStats(id);
    };
    // 1.23 answers the login first.
    if (isOld) setImmediate(later);
    else later();
  }

  const changesOf = (id: number) => (beats.get(id) ?? []).filter(({ important }) => important === 1).toReversed();

  function imported(given: Row): Row {
    const { notificationIDList = {}, accepted_statuscodes, ...rest } = given;
    if (!Array.isArray(accepted_statuscodes))
      throw new TypeError("Cannot read properties of undefined (reading 'every')");
    if (!accepted_statuscodes.every((code) => typeof code === 'string'))
      throw new Error('Accepted status codes are not all strings');
    const row: Row = {
      ...rest,
      accepted_statuscodes_json: JSON.stringify(accepted_statuscodes),
      kafkaProducerBrokers: JSON.stringify(rest.kafkaProducerBrokers),
      kafkaProducerSaslOptions: JSON.stringify(rest.kafkaProducerSaslOptions),
      ...(!isOld && { conditions: JSON.stringify(rest.conditions), rabbitmqNodes: JSON.stringify(rest.rabbitmqNodes) }),
    };
    const unknown = Object.keys(row).find((name) => !columns.has(name));
    if (unknown !== undefined)
      throw new Error(
        `insert into \`monitor\` (\`${Object.keys(row).join('`, `')}\`) values ('${String(row.name)}') - SQLITE_ERROR: table monitor has no column named ${unknown}`,
      );
    const least = isOld ? 20 : 1;
    if (Number(row.interval) < least) throw new Error(`Interval cannot be less than ${least} seconds`);
    if (Number(row.retryInterval) < least) throw new Error(`Retry interval cannot be less than ${least} seconds`);
    if (!isOld && row.conditions === undefined)
      throw new Error('SQLITE_CONSTRAINT: NOT NULL constraint failed: monitor.conditions');
    return { ...row, notificationIDList };
  }

  const pageNamed = (slug: unknown): Page => {
    const page = pages.find(({ config }) => config.slug === slug);
    if (!page) throw new Error('No slug?');
    return page;
  };
  const monitorWith = (id: unknown): Row => {
    const monitor = monitors.get(Number(id));
    if (!monitor) throw new Error('You do not own this monitor.');
    return monitor;
  };

  /** By event: how many arguments it has besides the callback, and what it answers. */
  const handlers = new Map<string, [count: number, (...args: never[]) => Row]>([
    ['getMonitorList', [0, () => (io.to(ROOM).emit('monitorList', monitorList()), {})]],
    ['getMonitor', [1, (id: number) => ({ monitor: monitorJson(monitorWith(id)) })]],
    [
      'add',
      [
        1,
        (given: Row) => {
          const id = nextId();
          monitors.set(id, { ...imported(given), id, active: 1 });
          sendMonitor(id);
          return { msg: 'successAdded', msgi18n: true, monitorID: id };
        },
      ],
    ],
    [
      'editMonitor',
      [
        1,
        (given: Row) => {
          const old = monitors.get(Number(given.id));
          if (!old) throw new TypeError("Cannot read properties of null (reading 'user_id')");
          const known = Object.fromEntries(
            Object.entries(given).filter(
              ([name]) => columns.has(name) || name === 'notificationIDList' || name === 'accepted_statuscodes',
            ),
          );
          monitors.set(Number(given.id), { ...imported(known), id: given.id, active: old.active });
          sendMonitor(Number(given.id));
          return { msg: 'Saved.', msgi18n: true, monitorID: given.id };
        },
      ],
    ],
    ['pauseMonitor', [1, (id: number) => ((monitorWith(id).active = 0), sendMonitor(id), { msg: 'successPaused' })]],
    ['resumeMonitor', [1, (id: number) => ((monitorWith(id).active = 1), sendMonitor(id), { msg: 'successResumed' })]],
    [
      'deleteMonitor',
      [
        1,
        (id: number) => {
          monitors.delete(id);
          beats.delete(id);
          for (const one of monitors.values()) if (one.parent === id) one.parent = null;
          for (const page of pages)
            for (const group of page.groups) group.monitorList = group.monitorList.filter((one) => one.id !== id);
          setImmediate(() =>
            isOld ? io.to(ROOM).emit('monitorList', monitorList()) : io.to(ROOM).emit('deleteMonitorFromList', id),
          );
          return { msg: 'successDeleted' };
        },
      ],
    ],
    [
      'getMonitorBeats',
      [
        2,
        (id: number, hours: number) => {
          if (typeof hours !== 'number' || !Number.isInteger(hours)) throw new Error('Invalid period.');
          const since = sqlTime(Date.now() - hours * 3_600_000);
          return { data: (beats.get(id) ?? []).filter(({ time }) => String(time) > since) };
        },
      ],
    ],
    ['getTags', [0, () => ({ tags: [...tags.values()] })]],
    [
      'addTag',
      [
        1,
        ({ name, color }: Row) => {
          if (typeof name !== 'string' || typeof color !== 'string')
            throw new Error('NOT NULL constraint failed: tag.name');
          const tag = { id: nextId(), name, color };
          tags.set(tag.id, tag);
          return { tag };
        },
      ],
    ],
    [
      'addMonitorTag',
      [
        3,
        (tag_id: number, monitor_id: number, value: string) => {
          if (!tags.has(tag_id) || !monitors.has(monitor_id)) throw new Error('FOREIGN KEY constraint failed');
          worn.push({ tag_id, monitor_id, value });
          // 1.23 tells nobody.
          if (!isOld) sendMonitor(monitor_id);
          return { msg: 'successAdded' };
        },
      ],
    ],
    [
      'deleteMonitorTag',
      [
        3,
        (tag_id: number, monitor_id: number, value: string) => {
          const at = worn.findIndex(
            (one) => one.tag_id === tag_id && one.monitor_id === monitor_id && one.value === value,
          );
          if (at !== -1) worn.splice(at, 1);
          // 1.23 tells nobody.
          if (!isOld) sendMonitor(monitor_id);
          return { msg: 'successDeleted' };
        },
      ],
    ],
    [
      'getMonitorMaintenance',
      [1, (id: number) => ({ monitors: (maintenances.get(id)?.monitors ?? []).map((one) => ({ id: one })) })],
    ],
    ['getStatusPage', [1, (slug: string) => ({ config: pageNamed(slug).config })]],
    [
      'addStatusPage',
      [
        2,
        (title: string, slug: string) => {
          if (!title.trim() || !slug.trim()) throw new Error('Please input all fields');
          if (!/^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/.test(slug)) throw new Error('Invalid Slug');
          if (pages.some(({ config }) => config.slug === slug))
            throw new Error('SQLITE_CONSTRAINT: UNIQUE constraint failed: status_page.slug');
          const id = nextId();
          const config = {
            id,
            slug,
            title,
            description: null,
            icon: '/icon.svg',
            theme: 'auto',
            published: true,
            showTags: false,
            domainNameList: [],
            customCSS: null,
            footerText: null,
            showPoweredBy: true,
            showCertificateExpiry: false,
            ...(isOld ? { googleAnalyticsId: null } : { analyticsId: null, analyticsType: null }),
          };
          pages.push({ id, config, groups: [], incidents: [] });
          return { msg: 'successAdded', slug };
        },
      ],
    ],
    [
      'saveStatusPage',
      [
        4,
        (
          slug: string,
          config: Row & { slug: string },
          image: string,
          groups: { id?: number; name: string; monitorList: Row[] }[],
        ) => {
          const page = pageNamed(slug);
          if (typeof image !== 'string') throw new TypeError('imgDataUrl.startsWith is not a function');
          if (!isOld && config.analyticsType !== null) throw new Error('Invalid analytics type');
          if (!Array.isArray(config.domainNameList)) throw new Error('Invalid array');
          page.config = { ...config, icon: image, published: page.config.published };
          page.groups = groups.map((group) => {
            if (group.id !== undefined && !page.groups.some(({ id }) => id === group.id))
              throw new TypeError('Cannot set properties of null');
            return { id: group.id ?? nextId(), name: group.name, monitorList: group.monitorList };
          });
          return { publicGroupList: page.groups };
        },
      ],
    ],
    [
      'deleteStatusPage',
      [
        1,
        (slug: string) => {
          const at = pages.findIndex(({ config }) => config.slug === slug);
          if (at === -1) throw new Error('Status Page is not found');
          pages.splice(at, 1);
          return {};
        },
      ],
    ],
    [
      'postIncident',
      [
        2,
        (slug: string, { title, content, style }: Row) => {
          const page = pageNamed(slug);
          if (isOld) for (const one of page.incidents) one.pin = false;
          const incident = {
            id: nextId(),
            title,
            content,
            style,
            pin: true,
            createdDate: sqlTime(Date.now()),
            lastUpdatedDate: null,
          };
          page.incidents.push(incident);
          return { incident };
        },
      ],
    ],
    [
      'unpinIncident',
      [
        1,
        (slug: string) => {
          for (const one of pageNamed(slug).incidents) one.pin = false;
          return {};
        },
      ],
    ],
    ...(isOld
      ? []
      : [
          [
            'monitorImportantHeartbeatListPaged',
            [
              3,
              (id: number | null, offset: number, count: number) => {
                const all = (id === null ? [...monitors.keys()] : [id]).flatMap(changesOf);
                const sorted = all.sort((a, b) => (String(a.time) < String(b.time) ? 1 : -1));
                return { data: sorted.slice(offset, offset + count).map(beatJson) };
              },
            ],
          ] as [string, [number, (...args: never[]) => Row]],
        ]),
  ]);

  function login(socket: Socket, given: Row, answer: Answer): void {
    logins += 1;
    if (logins > (options.logins ?? 20)) return answer({ ok: false, msg: 'Too frequently, try again later.' });
    const { username, password, token: code } = given as Record<string, string | undefined>;
    if (username !== user.name || password !== user.password)
      return answer({ ok: false, msg: isOld ? 'Incorrect username or password.' : 'authIncorrectCreds' });
    if (options.totp === undefined) {
      if (code) violations.push('login with a code, but two-factor authentication is off');
      afterLogin(socket);
      return answer({ ok: true, token });
    }
    if (!code) return answer({ tokenRequired: true });
    const isRight = [-1, 0, 1].some((steps) => totpCode(options.totp as string, Date.now(), steps) === code);
    if (!isRight || usedCodes.has(code))
      return answer({ ok: false, msg: isOld ? 'Invalid token!' : 'authInvalidToken' });
    usedCodes.clear();
    usedCodes.add(code);
    afterLogin(socket);
    return answer({ ok: true, token });
  }

  io.on('connection', (socket) => {
    socket.onAny((event: string, ...all: unknown[]) => {
      const answer = all.at(-1) as Answer;
      const args = all.slice(0, -1);
      if (typeof answer !== 'function') return violations.push(`${event} without a callback`);
      const other = instead.get(event);
      if (other) return other(answer);
      if (event === 'login') return login(socket, args[0] as Row, answer);
      if (event === 'loginByToken') {
        if (args[0] !== token) return answer({ ok: false, msg: isOld ? 'Invalid token.' : 'authInvalidToken' });
        afterLogin(socket);
        return answer({ ok: true });
      }
      const [count, handle] = handlers.get(event) ?? [];
      if (count === undefined || !handle) return violations.push(`unknown event ${event}`);
      if (args.length !== count) return violations.push(`${event} with ${args.length} arguments instead of ${count}`);
      if (socket.data.user === undefined && !WITHOUT_LOGIN.has(event))
        return answer({ ok: false, msg: 'You are not logged in.' });
      try {
        return answer({ ok: true, ...handle(...(args as never[])) });
      } catch (error) {
        return answer({ ok: false, msg: (error as Error).message });
      }
    });
    if (options.fresh && isOld) socket.emit('setup');
    sendInfo(socket, false);
    if (options.fresh && !isOld) socket.emit('setup');
    if (options.open) {
      afterLogin(socket);
      socket.emit('autoLogin');
    } else if (!isOld) socket.emit('loginRequired');
  });

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}${path}`,
    violations,
    token,
    get logins() {
      return logins;
    },
    monitor: (id) => monitors.get(id),
    seed(monitor, past = []) {
      const id = nextId();
      const usual = {
        type: 'http',
        interval: 60,
        retryInterval: 60,
        parent: null,
        accepted_statuscodes: ['200-299'],
        kafkaProducerBrokers: [],
        kafkaProducerSaslOptions: {},
        ...(!isOld && { conditions: [], rabbitmqNodes: [] }),
      };
      monitors.set(id, { ...imported({ ...usual, ...monitor }), id, active: 1 });
      beats.set(
        id,
        past.map((beat) => ({
          id: nextId(),
          monitor_id: id,
          msg: '',
          ping: null,
          important: 0,
          duration: 60,
          ...beat,
        })),
      );
      sendMonitor(id);
      return id;
    },
    seedNotification(name, config, isDefault = false) {
      const id = nextId();
      notifications.push({ id, name, active: true, isDefault, user_id: 1, config: JSON.stringify(config) });
      return id;
    },
    seedMaintenance(title, under) {
      const id = nextId();
      const row = {
        id,
        title,
        description: '',
        strategy: 'manual',
        active: true,
        status: 'under-maintenance',
        timeslotList: [],
        timezone: 'UTC',
      };
      maintenances.set(id, { row, monitors: under });
      return id;
    },
    seedCertificate: (monitor, info) => void certificates.set(monitor, JSON.stringify(info)),
    answers(event, answer) {
      if (answer) instead.set(event, answer);
      else instead.delete(event);
    },
    drop: () => io.disconnectSockets(true),
    async [Symbol.asyncDispose]() {
      await io.close();
    },
  };
}
