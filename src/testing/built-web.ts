import { join } from 'node:path'
import { type Assets, loadAssets } from '../http/kit/assets.ts'

const ROOT = join(import.meta.dir, '../..')

let assets: Assets | undefined

/** The files that browsers load, built where a source has changed since. */
export function builtWeb(): Assets {
  assets ??= build()
  return assets
}

function build(): Assets {
  const { exitCode, stderr } = Bun.spawnSync([join(ROOT, 'bin/prepare'), '--build'])
  if (exitCode !== 0) throw new Error(`bin/prepare --build exited ${exitCode}:\n${stderr}`)
  return loadAssets(join(ROOT, 'dist/web'))
}
