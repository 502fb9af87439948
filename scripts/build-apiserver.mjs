// Builds the real kube-apiserver from Debian's source package and unpacks Debian's etcd beside it, once, into
// .data/apiserver. Needs Debian 12 with make, and about five minutes; installs nothing, needs no root.
import { spawn } from 'node:child_process';
import { access, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const PACKAGES = ['golang-1.19-go', 'golang-1.19-src', 'rsync', 'libpopt0', 'etcd-server', 'etcd-client'];

/** Returns the paths of kube-apiserver, etcd and etcdctl, building what is missing. */
export async function buildApiServer(folder = '.data/apiserver') {
  const home = resolve(folder);
  const bin = join(home, 'bin');
  const programs = { apiserver: join(bin, 'kube-apiserver'), etcd: join(bin, 'etcd'), etcdctl: join(bin, 'etcdctl') };
  if (await exists(programs.apiserver)) return programs;
  const work = join(home, 'build');
  await rm(work, { recursive: true, force: true });
  await mkdir(bin, { recursive: true });
  const root = await unpackPackages(work);
  const source = await unpackSource(work);
  console.log('building kube-apiserver, which takes about five minutes ...');
  const go = join(root, 'usr/lib/go-1.19');
  const path = `${join(go, 'bin')}:${join(root, 'usr/bin')}:${process.env.PATH}`;
  const env = {
    ...process.env,
    HOME: work,
    GOROOT: go,
    PATH: path,
    CGO_ENABLED: '0',
    LD_LIBRARY_PATH: join(root, 'usr/lib/x86_64-linux-gnu'),
  };
  // As debian/rules does: the tree has to be found in a GOPATH of its own.
  const package_ = join(source, '.go/src/k8s.io');
  await mkdir(package_, { recursive: true });
  await symlink('../../..', join(package_, 'kubernetes'));
  await run(join(package_, 'kubernetes'), env, 'make', 'WHAT=cmd/kube-apiserver');
  for (const name of ['etcd', 'etcdctl']) await rename(join(root, 'usr/bin', name), programs[name]);
  await rename(join(source, '_output/local/go/bin/kube-apiserver'), programs.apiserver);
  await run(home, process.env, 'chmod', '-R', 'u+w', work);
  await rm(work, { recursive: true, force: true });
  return programs;
}

async function unpackPackages(work) {
  const [debs, root] = [join(work, 'debs'), join(work, 'root')];
  await mkdir(debs, { recursive: true });
  const env = await aptEnvironment(work);
  await run(work, env, 'apt-get', '-qq', 'update');
  await run(debs, env, 'apt-get', '-qq', 'download', ...PACKAGES);
  for (const deb of await readdir(debs)) await run(debs, process.env, 'dpkg', '-x', deb, root);
  return root;
}

async function unpackSource(work) {
  await run(work, await aptEnvironment(work), 'apt-get', '-qq', '--download-only', 'source', 'kubernetes');
  const archive = (await readdir(work)).find((name) => name.startsWith('kubernetes_') && name.includes('.orig.'));
  await run(work, process.env, 'tar', 'xf', archive);
  return join(
    work,
    (await readdir(work)).find((name) => name.startsWith('kubernetes-')),
  );
}

/** The machine's own package sources, with their source packages, and lists of our own: the machine stays as it is. */
async function aptEnvironment(work) {
  const sources = join(work, 'all.sources');
  const config = join(work, 'apt.conf');
  if (!(await exists(config))) {
    const own = await readFile('/etc/apt/sources.list.d/debian.sources', 'utf8');
    await writeFile(sources, own.replaceAll(/^Types: deb$/gm, 'Types: deb deb-src'));
    await mkdir(join(work, 'lists/partial'), { recursive: true });
    await mkdir(join(work, 'cache/archives/partial'), { recursive: true });
    const settings = {
      'Dir::Etc::SourceList': sources,
      'Dir::Etc::SourceParts': '-',
      'Dir::State::Lists': join(work, 'lists'),
      'Dir::Cache': join(work, 'cache'),
      'APT::Sandbox::User': 'root',
    };
    await writeFile(
      config,
      Object.entries(settings)
        .map(([name, value]) => `${name} "${value}";\n`)
        .join(''),
    );
  }
  return { ...process.env, APT_CONFIG: config };
}

async function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}

function run(cwd, env, command, ...args) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', fail);
    child.on('exit', (code) => (code === 0 ? done() : fail(new Error(`${command} ${args[0]} ended with ${code}`))));
  });
}
