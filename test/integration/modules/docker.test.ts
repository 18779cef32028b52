import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type RequestListener } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import { type ModuleClient, moduleClient } from '../../support/module-client.ts';
import { type Podman, podmanIsMissing, startPodman } from '../../support/podman.ts';
import { callTool, connectV2, type Json, startGateway, textOf } from '../harness.ts';

type Rows = Json[];

describe.skipIf(podmanIsMissing)('docker', () => {
  let podman: Podman;
  let home: string;
  let client: ModuleClient;
  const shop = (service: string, more = {}) => ({
    Labels: { 'com.docker.compose.project': 'shop', 'com.docker.compose.service': service, ...more },
  });
  const section = () => ({
    url: podman.url,
    mode: 'read-write',
    containers: [
      'web',
      'db',
      'job',
      'noisy',
      'gateway',
      'holder',
      'mighty',
      'capable',
      'socketed',
      'new-*',
      'label:tier=allowed',
    ],
    images: ['localhost/busy', 'nowhere.invalid/*'],
    mounts: [join(podman.folder, 'shared'), join(podman.folder, 'site/uploads'), join(podman.folder, 'site/link')],
    volumes: ['data*', 'disguised'],
  });
  const call = (tool: string, params?: Json) => client.call('docker', tool, params);
  const read = (tool: string, params?: Json) => client.read('docker', tool, params);
  const refused = (tool: string, params?: Json) => client.refused('docker', tool, params);

  beforeAll(async () => {
    podman = await startPodman();
    home = await mkdtemp(join(tmpdir(), 'sluice-test-'));
    await mkdir(join(podman.folder, 'shared/below'), { recursive: true });
    await mkdir(join(podman.folder, 'site/uploads'), { recursive: true });
    await symlink('/etc', join(podman.folder, 'site/link'));
    await writeFile(join(podman.folder, 'shared/note.txt'), 'from the host\n');
    await podman.container('web', {
      ...shop('web', { 'com.docker.compose.depends_on': 'db:service_started:false', 'api-token': 'label-hunter2' }),
      Cmd: [
        'sh',
        '-c',
        'echo hello; echo oops >&2; trap "exit 0" TERM; while true; do sleep 0.1; done',
        'x',
        '--password',
        'arg-hunter2',
      ],
      Env: ['DB_PASSWORD=env-hunter2', 'MODE=test'],
    });
    await podman.container('db', shop('db'));
    await podman.container('job', { Cmd: ['sh', '-c', 'echo failing; exit 3'] });
    await podman.container('noisy', { Cmd: ['sh', '-c', 'seq 1 3000; dd if=/dev/zero bs=1000 count=2000'] });
    await podman.container('secret-vault');
    await podman.container('labelled', { Labels: { tier: 'allowed' } });
    await podman.container('gateway', {
      Labels: { 'sluice.self': 'true', 'com.docker.compose.project': 'stack', 'com.docker.compose.service': 'sluice' },
    });
    await podman.container('holder', { HostConfig: { Binds: [`${home}:/data`] } });
    await podman.container('mighty', { HostConfig: { Privileged: true } });
    await podman.container('capable', { HostConfig: { CapAdd: ['SYS_ADMIN'] } });
    await podman.container('socketed', { HostConfig: { Binds: [`${podman.socket}:/run/docker.sock`] } });
    await podman.api('POST', '/volumes/create', { Name: 'data-1' });
    await podman.api('POST', '/volumes/create', { Name: 'private' });
    await podman.api('POST', '/volumes/create', {
      Name: 'disguised',
      Driver: 'local',
      DriverOpts: { type: 'none', o: 'bind', device: '/etc' },
    });
    // What the tests read is there: the end of those that end, and the words of those that go on.
    for (const name of ['job', 'noisy']) await podman.api('POST', `/containers/${name}/wait`);
    client = await moduleClient({ docker: section() }, { home });
    await vi.waitFor(async () => {
      const said = JSON.stringify(await read('docker_get_logs', { container: 'web' }));
      if (!said.includes('oops')) throw new Error(`web has not said all of it yet: ${said}`);
    }, 20_000);
  }, 120_000);

  afterAll(async () => {
    await client?.[Symbol.asyncDispose]();
    await podman?.[Symbol.asyncDispose]();
    if (home) await rm(home, { recursive: true, force: true });
  }, 60_000);

  describe('discovery', () => {
    test('the tools are behind three names, and described one by one', async () => {
      expect(await client.listed()).toEqual(['docker_list', 'docker_call', 'docker_read']);
      expect(await client.list('docker', { query: 'logs' })).toContain('docker_get_logs');
      expect(await client.list('docker', { tool: 'docker_get_logs' })).toContain('"tail"');
      expect(await refused('docker_restart_containr', { container: 'web' })).toContain('docker_restart_container');
    });

    test('a section that is read-only has no tool that changes anything', async () => {
      await using reader = await moduleClient({ docker: { url: podman.url } });
      expect(await reader.listed()).not.toContain('docker_read');
      expect(await reader.refused('docker', 'docker_restart_container', { container: 'web' })).toContain(
        'set modules.docker.mode to read-write',
      );
      const { containers } = await reader.read<{ containers: Rows }>('docker', 'docker_list_containers', { all: true });
      expect(containers.map(({ name }) => name)).toContain('secret-vault');
    });

    test('read-write without containers is a mistake in the file, as is ssh', async () => {
      await expect(moduleClient({ docker: { url: podman.url, mode: 'read-write' } })).rejects.toThrow(/containers/);
      await expect(moduleClient({ docker: { url: 'ssh://me@host' } })).rejects.toThrow(/ssh -NL/);
    });

    test('DOCKER_HOST says where it is', async () => {
      await using reader = await moduleClient({ docker: {} }, { env: { DOCKER_HOST: podman.url } });
      expect(await reader.read('docker', 'docker_get_info')).toMatchObject({ engine: 'Podman', api: '1.41' });
      expect(reader.health('docker')).toMatchObject({ state: 'ready' });
    });
  });

  describe('reading', () => {
    test('lists the containers in reach', async () => {
      const running = (await read('docker_list_containers')) as { containers: Rows };
      expect(running.containers.map(({ name }) => name)).toEqual([
        'capable',
        'db',
        'gateway',
        'holder',
        'labelled',
        'mighty',
        'socketed',
        'web',
      ]);
      const all = (await read('docker_list_containers', { all: true, query: 'JOB' })) as { containers: Rows };
      expect(all.containers).toMatchObject([{ name: 'job', state: 'exited', image: 'localhost/busy:latest' }]);
      expect(await read('docker_list_containers', { project: 'shop' })).toMatchObject({ total: 2 });
    });

    test('shows a container without its secrets', async () => {
      const shown = await read('docker_inspect_container', { container: 'web' });
      expect(shown).toMatchObject({
        name: 'web',
        state: 'running',
        environment: expect.arrayContaining(['DB_PASSWORD', 'MODE']),
      });
      expect(JSON.stringify(shown)).not.toContain('hunter2');
      expect(JSON.stringify(shown)).toContain('--password');
    });

    test('reads logs with stderr apart, from the end, and searches them', async () => {
      expect(await read('docker_get_logs', { container: 'web' })).toMatchObject({
        lines: expect.arrayContaining([{ text: 'hello' }, { text: 'oops', stream: 'stderr' }]),
      });
      expect(await read('docker_get_logs', { container: 'web', stream: 'stderr', timestamps: true })).toMatchObject({
        lines: [{ text: 'oops', time: expect.stringMatching(/^\d{4}-/) }],
      });
      expect(await read('docker_get_logs', { container: 'noisy', grep: '299', tail: 3 })).toMatchObject({
        lines: [{ text: '2997' }, { text: '2998' }, { text: '2999' }],
      });
      expect(
        await read('docker_get_logs', { container: 'web', since: '2000-01-01', until: '2001-01-01' }),
      ).toMatchObject({
        lines: [],
      });
    });

    test('cuts a flood of lines and a line of 2 MB, and says so', async () => {
      const { lines, note, earlier } = (await read('docker_get_logs', { container: 'noisy', tail: 5000 })) as {
        lines: { text: string }[];
        note: string;
        earlier: string;
      };
      expect(note).toContain('do not fit');
      expect(earlier).toMatch(/^\d{4}-/);
      expect(lines.some(({ text }) => text === '3000' || text.includes('bytes)') || text.includes('characters)'))).toBe(
        true,
      );
    });

    test('measures, lists processes and changed files', async () => {
      const { containers } = (await read('docker_get_stats', { container: 'web' })) as { containers: Rows };
      expect(containers).toMatchObject([
        { name: 'web', memory_bytes: expect.any(Number), cpu_percent: expect.any(Number) },
      ]);
      expect(await read('docker_get_stats')).toMatchObject({ containers: expect.any(Array) });
      const { processes } = (await read('docker_list_processes', { container: 'web' })) as { processes: Rows };
      expect(JSON.stringify(processes)).toContain('sleep');
      expect(JSON.stringify(processes)).not.toContain('hunter2');
      expect(await read('docker_list_changes', { container: 'web' })).toMatchObject({ container: 'web' });
      expect(await refused('docker_get_stats', { container: 'job' })).toContain('does not run');
    });

    test('shows images, networks and volumes', async () => {
      expect(await read('docker_list_images')).toMatchObject({ images: [{ tags: ['localhost/busy:latest'] }] });
      expect(await read('docker_inspect_image', { image: 'localhost/busy' })).toMatchObject({
        platform: 'linux/amd64',
      });
      const { networks } = (await read('docker_list_networks')) as { networks: Rows };
      const [first] = networks;
      expect(await read('docker_inspect_network', { network: first?.name as string })).toMatchObject({
        driver: 'bridge',
      });
      expect(await read('docker_list_volumes')).toMatchObject({ volumes: [{ name: 'data-1' }, { name: 'disguised' }] });
      expect(await read('docker_inspect_volume', { volume: 'data-1' })).toMatchObject({ used_by: [] });
      expect(await refused('docker_inspect_volume', { volume: 'private' })).toContain('modules.docker.volumes');
      expect(await refused('docker_inspect_image', { image: 'localhost/bus' })).toContain('localhost/busy:latest');
    });

    test('shows projects, events, disk and what is wrong', async () => {
      expect(await read('docker_list_projects', { project: 'shop' })).toMatchObject({
        projects: [{ name: 'shop', running: 2, services: [{ name: 'db' }, { name: 'web' }] }],
      });
      const { events } = (await read('docker_list_events', { container: 'job' })) as { events: Rows };
      expect(events).toContainEqual(expect.objectContaining({ action: 'die', name: 'job', exit_code: 3 }));
      const all = (await read('docker_list_events', { since: '1h' })) as { events: Rows };
      expect(all.events.map(({ name }) => name)).not.toContain('secret-vault');
      expect(await read('docker_get_disk_usage')).toMatchObject({ disk: expect.any(Array) });
      const health = (await read('docker_check_health', { disk: true })) as { problems: Rows };
      expect(health.problems).toContainEqual(
        expect.objectContaining({ about: 'job', problem: expect.stringContaining('exit code 3') }),
      );
      expect(await refused('docker_list_events', { until: '2999-01-01' })).toContain('future');
    });
  });

  describe('names that are wrong', () => {
    test.each(['wbe', '../web', 'web/json', 'a b', '.', '%2e%2e', 'constructor', '__proto__'])(
      '%s',
      async (container) => {
        const said = await refused('docker_get_logs', { container });
        expect(said).toContain(`There is no container "${container}"`);
      },
    );

    test('a typo gets the nearest name, and a name that is not listed the setting', async () => {
      expect(await refused('docker_restart_container', { container: 'wbe' })).toContain('Did you mean web');
      expect(await refused('docker_get_logs', { container: 'secret-vault' })).toContain('modules.docker.containers');
      expect(await refused('docker_get_logs', { container: 'secret-vaul' })).not.toContain('secret-vault"?');
      expect(await refused('docker_inspect_network', { network: 'a/../b' })).toContain('There is no network');
      expect(await refused('docker_pull_image', { image: '../x' })).toContain('is not an image');
    });
  });

  describe('changing', () => {
    test('restarts, stops, starts, pauses, signals', async () => {
      expect(await call('docker_restart_container', { container: 'labelled', grace_seconds: 5 })).toMatchObject({
        container: 'labelled',
        state: 'running',
      });
      expect(await call('docker_stop_container', { container: 'db', grace_seconds: 5 })).toMatchObject({
        state: 'exited',
      });
      expect(await call('docker_stop_container', { container: 'db' })).toMatchObject({ changed: false });
      expect(await call('docker_start_container', { container: 'db' })).toMatchObject({
        state: 'running',
        changed: true,
      });
      expect(await call('docker_pause_container', { container: 'db' })).toMatchObject({ state: 'paused' });
      expect(await call('docker_unpause_container', { container: 'db' })).toMatchObject({ state: 'running' });
      expect(await call('docker_signal_container', { container: 'db', signal: 'WINCH' })).toMatchObject({
        state: 'running',
      });
    });

    test('controls a project in the order of its services', async () => {
      expect(await call('docker_control_project', { project: 'shop', action: 'stop', grace_seconds: 5 })).toMatchObject(
        {
          containers: [
            { container: 'web', state: 'exited' },
            { container: 'db', state: 'exited' },
          ],
          failed: 0,
        },
      );
      expect(await call('docker_control_project', { project: 'shop', action: 'start' })).toMatchObject({
        containers: [{ container: 'db', state: 'running' }, { container: 'web' }],
      });
      expect(await refused('docker_control_project', { project: 'shp', action: 'stop' })).toContain('shop');
      expect(await refused('docker_control_project', { project: 'shop', action: 'stop', services: ['wbe'] })).toContain(
        'web',
      );
    });

    test('runs a command, with its exit code and both streams', async () => {
      expect(
        await call('docker_exec_command', {
          container: 'web',
          command: ['sh', '-c', 'echo $A; echo bad >&2; exit 7'],
          environment: { A: 'b' },
        }),
      ).toMatchObject({ exit_code: 7, stdout: 'b\n', stderr: 'bad\n' });
      // No shell reads the words.
      expect(
        await call('docker_exec_command', { container: 'web', command: ['echo', '$HOME;', '`id`'] }),
      ).toMatchObject({
        stdout: '$HOME; `id`\n',
      });
      const much = await call('docker_exec_command', { container: 'web', command: ['seq', '1', '100000'] });
      expect(much.stdout).toMatch(/^\(\d+ bytes before this are left out\)[\s\S]*100000\n$/);
      expect(
        await call('docker_exec_command', { container: 'web', command: ['sleep', '30'], timeout_seconds: 1 }),
      ).toMatchObject({ running: true, note: expect.stringContaining('had not ended after 1 s') });
      expect(await call('docker_exec_command', { container: 'web', command: ['nonesuch'] })).toMatchObject({
        exit_code: 127,
        stderr: expect.stringContaining('nonesuch'),
      });
      expect(await refused('docker_exec_command', { container: 'job', command: ['ls'] })).toContain('does not run');
    });

    test('runs a container to its end, and removes it', async () => {
      expect(
        await call('docker_run_container', {
          name: 'new-job',
          image: 'localhost/busy',
          command: ['sh', '-c', 'cat /in/note.txt; echo $MODE; touch /in/x || exit 5'],
          environment: { MODE: 'fast' },
          mounts: [{ source: join(podman.folder, 'shared'), target: '/in' }],
          network: 'none',
          wait: true,
          remove: true,
        }),
      ).toMatchObject({ exit_code: 5, stdout: 'from the host\nfast\n', removed: true });
      expect(await refused('docker_inspect_container', { container: 'new-job' })).toContain('There is no container');
    });

    test('runs a container in the background and deletes it when that is confirmed', async () => {
      const command = ['sh', '-c', 'trap "exit 0" TERM; while true; do sleep 0.1; done'];
      expect(
        await call('docker_run_container', {
          name: 'new-service',
          image: 'localhost/busy:latest',
          command,
          network: 'none',
          mounts: [{ source: 'data-1', target: '/data', read_only: false }],
        }),
      ).toMatchObject({ state: 'running' });
      const { HostConfig } = await podman.api<{ HostConfig: Json }>('GET', '/containers/new-service/json');
      expect(HostConfig).toMatchObject({ Privileged: false, SecurityOpt: ['no-new-privileges'] });
      expect(await refused('docker_remove_container', { container: 'new-service' })).toContain('force: true');
      expect(await refused('docker_remove_volume', { volume: 'data-1' })).toContain('used by new-service');
      const { question, result } = await client.confirmed('docker', 'docker_remove_container', {
        container: 'new-service',
        force: true,
      });
      expect(question).toContain('Removes the container new-service');
      expect(question).toContain('data-1 stay');
      expect(result).toMatchObject({ removed: 'new-service' });
      const removed = await client.confirmed('docker', 'docker_remove_volume', { volume: 'data-1' });
      expect(removed.question).toContain('Deletes the volume data-1');
    });

    test('pulls, tags apart, and removes images', async () => {
      expect(await refused('docker_pull_image', { image: 'nowhere.invalid/x:1' })).toContain('could not be pulled');
      expect(await refused('docker_pull_image', { image: 'nginx' })).toContain('modules.docker.images');
      await podman.api('POST', '/images/localhost/busy:latest/tag?repo=localhost/busy&tag=old');
      expect(await refused('docker_remove_image', { image: 'localhost/busy:nope' })).toContain('is not on the host');
      const { question } = await client.confirmed('docker', 'docker_remove_image', { image: 'localhost/busy:old' });
      expect(question).toContain('Removes the tag localhost/busy:old');
      expect(await refused('docker_remove_image', { image: 'localhost/busy:latest' })).toContain('is used by');
      expect(await call('docker_prune_images', { all: true, dry_run: true })).toMatchObject({
        count: 0,
        removed: false,
      });
    });
  });

  describe('what is refused', () => {
    const run = (more: Json) => refused('docker_run_container', { name: 'new-x', image: 'localhost/busy', ...more });

    test.each([
      ['privileged', { privileged: true }],
      ['host network', { network: 'host' }],
      ['the network of a container', { network: 'container:web' }],
      ['pid', { pid: 'host' }],
      ['ipc', { ipc_mode: 'host' }],
      ['devices', { devices: ['/dev/sda'] }],
      ['capabilities', { cap_add: ['SYS_ADMIN'] }],
      ['security options', { security_opt: ['seccomp=unconfined'] }],
      ['volumes of others', { volumes_from: ['web'] }],
      ['sysctls', { sysctls: { 'kernel.x': '1' } }],
      ['a cgroup', { cgroup_parent: '/' }],
      ['raw HostConfig', { HostConfig: { Privileged: true } }],
    ])('%s', async (_, more) => {
      expect(await run(more)).toMatch(/refused|nknown|nrecogni|not (?:a |one of )/);
      expect(await refused('docker_inspect_container', { container: 'new-x' })).toContain('There is no container');
    });

    test.each([
      ['a path that is not listed', '/etc', /allows/],
      ['the root', '/', /socket|allows/],
      ['the socket', '/var/run/docker.sock', /socket/],
      ['the folder of the socket', '/run', /socket/],
      ['dots', '/srv/../etc', /without "\.\."/],
      ['a volume that is not listed', 'private', /modules\.docker\.volumes/],
      ['a volume that is a folder of the host', 'disguised', /folder of the host/],
      ['a relative path', './x', /neither an absolute path/],
    ])('%s is not mounted', async (_, source, why) => {
      expect(await run({ mounts: [{ source, target: '/x' }] })).toMatch(why);
    });

    test("nothing below a listed folder, no link, and not Sluice's home", async () => {
      const mounting = (folder: string) => run({ mounts: [{ source: join(podman.folder, folder), target: '/x' }] });
      expect(await mounting('shared/below')).toContain(
        'Mount a listed folder, and use its subfolders in the container',
      );
      expect(await mounting('site/link')).toContain('symbolic link');
      await using greedy = await moduleClient({ docker: { ...section(), mounts: [home] } }, { home });
      expect(
        await greedy.refused('docker', 'docker_run_container', {
          name: 'new-x',
          image: 'localhost/busy',
          mounts: [{ source: home, target: '/x' }],
        }),
      ).toContain("Sluice's database and keys");
    });

    test('a listed folder while a container can replace it by a link', async () => {
      const uploads = { mounts: [{ source: join(podman.folder, 'site/uploads'), target: '/x' }] };
      const job = { image: 'localhost/busy', command: ['true'], network: 'none', wait: true, remove: true, ...uploads };
      const above = (name: string, mode: string) =>
        podman.container(name, { HostConfig: { Binds: [`${join(podman.folder, 'site')}:/site:${mode}`] } });
      await above('new-reader', 'ro');
      expect(await call('docker_run_container', { name: 'new-y', ...job })).toMatchObject({ exit_code: 0 });
      await above('new-writer', 'rw');
      try {
        expect(await run(job)).toContain('the container new-writer can write to a folder around it');
        const swap = ['sh', '-c', 'rm -r /site/uploads; ln -s /etc /site/uploads'];
        expect(await refused('docker_exec_command', { container: 'new-writer', command: swap })).toContain(
          'can write to a folder around one that modules.docker.mounts lists',
        );
      } finally {
        for (const name of ['new-reader', 'new-writer']) await podman.api('DELETE', `/containers/${name}?force=true`);
      }
    });

    test('folders inside each other are a mistake in the file', async () => {
      const mounts = ['/srv/app/data', '/srv/app'];
      await expect(moduleClient({ docker: { ...section(), mounts } })).rejects.toThrow(/must not be inside \/srv\/app/);
    });

    test('names, images and networks that are not listed', async () => {
      expect(await refused('docker_run_container', { name: 'intruder', image: 'localhost/busy' })).toContain(
        'modules.docker.containers',
      );
      expect(await run({ image: 'nginx' })).toContain('is not on the host');
      expect(await run({ network: 'backend' })).toContain('modules.docker.networks');
      expect(await refused('docker_run_container', { name: 'a/b', image: 'localhost/busy' })).toContain('name');
    });

    test.each([
      'docker_stop_container',
      'docker_restart_container',
      'docker_pause_container',
      'docker_remove_container',
    ])('%s of Sluice itself, or of what holds its files', async (tool) => {
      expect(await refused(tool, { container: 'gateway' })).toContain('in which Sluice runs');
      expect(await refused(tool, { container: 'holder' })).toContain("Sluice's database and keys");
    });

    test('commands in Sluice itself, and where they could take over the host', async () => {
      const exec = (container: string) => refused('docker_exec_command', { container, command: ['ls'] });
      expect(await exec('gateway')).toContain('in which Sluice runs');
      expect(await exec('holder')).toContain("Sluice's database and keys");
      expect(await exec('mighty')).toContain('is privileged');
      expect(await exec('capable')).toContain('has capabilities');
      expect(await exec('socketed')).toContain("mounts Docker's socket");
      expect(await read('docker_inspect_container', { container: 'gateway' })).toMatchObject({ state: 'running' });
    });

    test('the project of Sluice is stopped without Sluice', async () => {
      expect(await call('docker_control_project', { project: 'stack', action: 'stop' })).toMatchObject({
        containers: [
          { container: 'gateway', changed: false, problem: expect.stringContaining('in which Sluice runs') },
        ],
        failed: 1,
      });
      expect(await read('docker_inspect_container', { container: 'gateway' })).toMatchObject({ state: 'running' });
    });

    test('exec and run to a key without docker:exec', async () => {
      await using gateway = await startGateway({
        auth: { mode: 'keys' },
        memory: false,
        graph: false,
        modules: { docker: section() },
      });
      const ask = async (scopes: string[], tool: string, params: Json) => {
        const grant = { name: `k${Math.random()}`, scopes, createdAt: new Date().toISOString(), createdBy: 'test' };
        const { key } = await createKey(gateway.runtime.store.keys, grant);
        await using limited = await connectV2(gateway, { era: 'modern', headers: { authorization: `Bearer ${key}` } });
        return textOf(await callTool(limited, 'docker_call', { tool, params }));
      };
      const exec = { container: 'web', command: ['echo', 'done'] };
      expect(await ask(['tools:execute'], 'docker_exec_command', exec)).toContain('docker:exec');
      expect(
        await ask(['tools:execute'], 'docker_run_container', { name: 'new-y', image: 'localhost/busy' }),
      ).toContain('docker:exec');
      expect(await ask(['tools:execute'], 'docker_list_containers', {})).toContain('web');
      expect(await ask(['docker:exec'], 'docker_exec_command', exec)).toContain('done');
    });
  });

  describe('a proxy before Docker', () => {
    /** Allows what `allow` says, as tecnativa/docker-socket-proxy does. */
    async function proxy(
      allow: (method: string, path: string) => boolean | 'slow',
      tls?: ServerOptions,
    ): Promise<AsyncDisposable & { url: string }> {
      const forward: RequestListener = (incoming, outgoing) => {
        const verdict = allow(incoming.method ?? '', incoming.url ?? '');
        if (verdict === 'slow') return;
        if (!verdict) {
          outgoing
            .writeHead(403, { 'content-type': 'text/html' })
            .end('<html><body><h1>403 Forbidden</h1>\nRequest forbidden by administrative rules.\n</body></html>');
          return;
        }
        const { method, url: path, headers } = incoming;
        const forwarded = httpRequest(
          { socketPath: podman.socket, method, path, headers, agent: false },
          (response) => {
            outgoing.writeHead(response.statusCode ?? 500, response.headers);
            response.pipe(outgoing);
          },
        );
        incoming.pipe(forwarded);
      };
      const server = tls ? createSecureServer(tls, forward) : createServer(forward);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
      return {
        url: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
        async [Symbol.asyncDispose]() {
          server.closeAllConnections();
          await new Promise((resolve) => server.close(resolve));
        },
      };
    }

    test('is reached over TCP, and what it forbids is named with its variable', async () => {
      await using between = await proxy((method, path) => method === 'GET' && !path.includes('/images'));
      await using narrow = await moduleClient({ docker: { ...section(), url: between.url } });
      expect(await narrow.read('docker', 'docker_list_containers', { query: 'web' })).toMatchObject({ total: 1 });
      const restart = await narrow.refused('docker', 'docker_restart_container', { container: 'web' });
      expect(restart).toContain('POST /containers/{id}/restart is forbidden');
      expect(restart).toContain('CONTAINERS=1 and POST=1');
      expect(await narrow.refused('docker', 'docker_exec_command', { container: 'web', command: ['ls'] })).toContain(
        'EXEC=1',
      );
      expect(await narrow.refused('docker', 'docker_list_images')).toContain('IMAGES=1');
    });

    test('with TLS, certificates of both sides are needed', async () => {
      const at = (name: string) => join(podman.folder, name);
      for (const name of ['server', 'client'])
        execFileSync(
          'openssl',
          `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${name} -addext subjectAltName=IP:127.0.0.1 -keyout ${at(name)}.key -out ${at(name)}.pem`.split(
            ' ',
          ),
          { stdio: 'pipe' },
        );
      const [key, cert, ca] = await Promise.all(
        [at('server.key'), at('server.pem'), at('client.pem')].map((path) => readFile(path)),
      );
      await using between = await proxy(() => true, { key, cert, ca, requestCert: true });
      const url = between.url.replace('tcp:', 'https:');
      const mine = { cert: at('client.pem'), key: at('client.key') };
      await using client = await moduleClient({
        docker: { url: between.url, ca: at('server.pem'), ...mine },
        'docker-stranger': { type: 'docker', url, ...mine },
        'docker-nobody': { type: 'docker', url, ca: at('server.pem') },
        'docker-plain': { type: 'docker', url: between.url },
      });
      expect(await client.read('docker', 'docker_list_containers', { query: 'web' })).toMatchObject({ total: 1 });
      expect(await client.refused('docker-stranger', 'list_containers')).toContain('Set modules.docker-stranger.ca');
      expect(await client.refused('docker-nobody', 'list_containers')).toContain('the keys ca, cert and key');
      expect(await client.refused('docker-plain', 'list_containers')).toContain(
        'write https:// in modules.docker-plain.url',
      );
    });

    test('a Docker that does not answer costs the time-out and no more', async () => {
      await using between = await proxy((_, path) => (path.includes('/info') ? 'slow' : true));
      await using slow = await moduleClient({ docker: { url: between.url, timeout: '1s' } });
      expect(await slow.refused('docker', 'docker_get_info')).toContain('took longer than 1 s');
      expect(await slow.read('docker', 'docker_list_containers', { query: 'web' })).toMatchObject({ total: 1 });
    });
  });

  test('a Docker that is killed and comes back', async () => {
    const commands = async () =>
      (await podman.api<{ ExecIDs: string[] | null }>('GET', '/containers/web/json')).ExecIDs ?? [];
    // An earlier test left one that still runs.
    const before = await commands();
    const pending = client.refused('docker', 'docker_exec_command', { container: 'web', command: ['sleep', '20'] });
    await expect
      .poll(async () => {
        const id = (await commands()).find((one) => !before.includes(one));
        return id !== undefined && (await podman.api<{ Running: boolean }>('GET', `/exec/${id}/json`)).Running;
      })
      .toBe(true);
    await podman.kill();
    expect(await pending).toContain('check before you repeat it');
    expect(await refused('docker_list_containers')).toMatch(/is not running/);
    expect(client.health('docker')).toMatchObject({ state: 'failing' });
    await podman.start();
    expect(await read('docker_list_containers', { query: 'web' })).toMatchObject({ total: 1 });
    expect(client.health('docker')).toMatchObject({ state: 'ready' });
  });
});
