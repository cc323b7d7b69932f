import { cp, mkdtemp, readdir, rename, rm, stat, unlink, utimes } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * `bin/bun build/program.ts` bundles src to `dist/server`, which `bin/handbill` runs because it starts
 * faster than the sources. `bin/bun build/program.ts --executable [file]` compiles the bundle and the
 * web files to one executable, `dist/handbill`.
 */
const root = resolve(import.meta.dir, '..')
const dist = join(root, 'dist')
const KEEP_REPLACED_MS = 24 * 60 * 60 * 1000
/** Of the files of a build, in its folder. */
const LIST = 'files.json'

/** Keeps names and source maps for stack traces, and splits chunks at dynamic imports. */
const program = {
  entrypoints: [join(root, 'src/main.ts')],
  root,
  target: 'bun',
  format: 'esm',
  splitting: true,
  minify: { whitespace: true, syntax: true },
  // React’s own checks and warnings are left out.
  define: { 'process.env.NODE_ENV': '"production"' },
  sourcemap: 'linked',
} satisfies Bun.BuildConfig

/**
 * Chunk names contain a hash. A server that runs loads some chunks at the first request that needs
 * them: those that this build replaces are kept for a day, so that it can be restarted at leisure.
 */
async function buildServer(folder: string): Promise<void> {
  const naming = { entry: '[name].[ext]', chunk: '[name]-[hash].[ext]' }
  const { outputs } = await Bun.build({ ...program, outdir: folder, naming })
  const written = new Set(outputs.map(({ path }) => basename(path)))
  const replaced = (await filesOfLastBuild(folder)).difference(written)
  await Bun.write(join(folder, LIST), JSON.stringify([...written]))
  const now = new Date()
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (written.has(name) || name === LIST) continue
    if (replaced.has(name)) await utimes(path, now, now)
    else if (now.getTime() - (await stat(path)).mtimeMs > KEEP_REPLACED_MS) await unlink(path)
  }
}

/** All files that are there, where the last build wrote no list of its own. */
async function filesOfLastBuild(folder: string): Promise<Set<string>> {
  const list = Bun.file(join(folder, LIST))
  return new Set(await list.json().catch(() => readdir(folder)))
}

/**
 * The executable contains the program and the web files at the same relative paths as the checkout.
 * It is built in a temporary folder and renamed, because a running executable cannot be overwritten.
 */
async function buildExecutable(file: string): Promise<void> {
  const temporary = await mkdtemp(join(dirname(file), '.executable-'))
  try {
    const outfile = join(temporary, 'handbill')
    const assets = [join(temporary, 'dist')]
    await cp(join(dist, 'web'), join(temporary, 'dist/web'), { recursive: true })
    await Bun.build({
      ...program,
      bytecode: true,
      naming: { chunk: 'dist/server/[name]-[hash].[ext]' },
      // A bunfig.toml in the working folder could run code, and a .env could send an API key to
      // another server.
      compile: { outfile, assets, autoloadBunfig: false, autoloadDotenv: false },
    })
    await rename(outfile, file)
  } finally {
    await rm(temporary, { recursive: true })
  }
}

const [option, file = join(dist, 'handbill')] = process.argv.slice(2)
if (option === '--executable') await buildExecutable(resolve(file))
else await buildServer(join(dist, 'server'))
