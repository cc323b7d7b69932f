import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Ends processes and removes a folder when this process ends in any way: `bun test` runs no exit
 * hooks.
 */
export function guard(pids: readonly number[], folder: string): Bun.Subprocess {
  const script = 'read -r _; rm=$1; shift; [ $# -eq 0 ] || kill "$@"; sleep 1; rm -rf "$rm"'
  const args = ['sh', '-c', script, 'guardian', folder, ...pids.map(String)]
  const guardian = Bun.spawn(args, {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
    // A signal to this process's group must not end the guardian.
    detached: true,
  })
  guardian.unref()
  return guardian
}

let parent: string | undefined

/** A new folder that is removed when this process ends. */
export function guardedFolder(prefix: string): string {
  if (parent === undefined) {
    parent = realpathSync(mkdtempSync(join(tmpdir(), 'handbill-tests-')))
    guard([], parent)
  }
  return mkdtempSync(join(parent, prefix))
}
