import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** A file system of its own in a file, which only root may mount. */
export function newDisk(folder: string, sizeBytes: number) {
  const [image, path] = [join(folder, 'image'), join(folder, 'disk')]
  mkdirSync(path)
  command('truncate', '-s', String(sizeBytes), image)
  command('mkfs.ext4', '-q', '-m', '0', image)
  return {
    path,
    mount: () => command('mount', '-o', 'loop', image, path),
    unmount: () => command('umount', path),
  }
}

/** The reason why this machine cannot mount a separate disk; null if it can. */
export function missingForDisk(): string | null {
  const isMissing = (program: string) => Bun.which(program) === null
  const programs = ['mkfs.ext4', 'mount', 'umount', 'truncate'].filter(isMissing)
  if (programs.length > 0) return `it needs ${programs.join(', ')}`
  return process.getuid?.() === 0 ? null : 'it needs the right to mount'
}

function command(...words: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(words)
  if (exitCode !== 0) throw new Error(`${words.join(' ')}: ${stderr}`)
}
