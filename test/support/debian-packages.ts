/** Debian packages that are unpacked for tests, without installing them: the machine's own packages stay as they are. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * Downloads packages of another release, checked by apt, from the mirror that apt uses here. `release` makes the name
 * of that release from the name of this one. Returns the archives in `folder`.
 */
export function downloadPackages(
  folder: string,
  names: readonly string[],
  release: (codename: string) => string,
): string[] {
  const apt = join(folder, 'apt');
  for (const path of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(apt, path), { recursive: true });
  const { url, codename } = mirrorHere();
  const signed = existsSync(KEYRING) ? `[signed-by=${KEYRING}] ` : '';
  writeFileSync(join(apt, 'sources.list'), `deb ${signed}${url} ${release(codename)} main\n`);
  const options = Object.entries({
    'Dir::Etc::SourceList': join(apt, 'sources.list'),
    'Dir::Etc::SourceParts': '-',
    'Dir::State::Lists': join(apt, 'lists'),
    'Dir::Cache': join(apt, 'cache'),
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  execFileSync('apt-get', [...options, '-qq', 'update'], { cwd: apt, stdio: 'pipe' });
  execFileSync('apt-get', [...options, '-qq', 'download', ...names], { cwd: apt, stdio: 'pipe' });
  for (const archive of archivesIn(apt)) renameSync(archive, join(folder, archive.slice(apt.length + 1)));
  rmSync(apt, { recursive: true });
  return archivesIn(folder);
}

/** The mirror of Debian that apt uses here, and the name of this release. */
export function mirrorHere(): { readonly url: string; readonly codename: string } {
  const format = ['--format', '$(REPO_URI) $(CODENAME)', 'Created-By: Packages'];
  const targets = execFileSync('apt-get', ['indextargets', ...format], { encoding: 'utf8' });
  const [url, codename] =
    targets
      .split('\n')
      .find((line) => / [a-z]+$/.test(line))
      ?.split(' ') ?? [];
  if (url === undefined || codename === undefined) throw new Error('apt has no Debian to download from.');
  return { url, codename };
}

export const archivesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.deb'))
    .map((name) => join(folder, name));

export function unpack(archives: readonly string[], into: string): void {
  for (const archive of archives) execFileSync('dpkg-deb', ['-x', archive, into], { stdio: 'pipe' });
}
