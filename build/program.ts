import { cp, mkdtemp, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/**
 * `bin/bun build/program.ts`: src as `dist/server`, which starts in half the time that the sources
 * take; `bin/handbill` runs it. `bin/bun build/program.ts --executable [file]`: that and the web
 * files as one file, `dist/handbill`, which needs nothing beside it.
 */
const root = resolve(import.meta.dir, '..')
const dist = join(root, 'dist')
const STARTED_BY_THEN_MS = 60_000

/** Names and source maps stay, for stack traces to say where in src. What is lazy stays lazy. */
const program = {
  entrypoints: [join(root, 'src/main.ts')],
  root,
  target: 'bun',
  format: 'esm',
  splitting: true,
  minify: { whitespace: true, syntax: true },
  sourcemap: 'linked',
} satisfies Bun.BuildConfig

/** Parts have their content's hash in their names: whoever starts meanwhile still finds the old. */
async function buildServer(folder: string): Promise<void> {
  const naming = { entry: '[name].[ext]', chunk: '[name]-[hash].[ext]' }
  const { outputs } = await Bun.build({ ...program, outdir: folder, naming })
  const made = new Set(outputs.map(({ path }) => path))
  for (const path of (await readdir(folder)).map((name) => join(folder, name))) {
    if (made.has(path)) continue
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > STARTED_BY_THEN_MS) await unlink(path)
  }
}

/**
 * Inside, program and web files lie as they do below the root: where one looks for the other is one
 * path. Built aside and moved, since an executable that runs cannot be written to.
 */
async function buildExecutable(file: string): Promise<void> {
  const aside = await mkdtemp(join(dirname(file), '.executable-'))
  try {
    const outfile = join(aside, 'handbill')
    const assets = [join(aside, 'dist')]
    await cp(join(dist, 'web'), join(aside, 'dist/web'), { recursive: true })
    await Bun.build({
      ...program,
      bytecode: true,
      naming: { chunk: 'dist/server/[name]-[hash].[ext]' },
      // Not the bunfig.toml of whatever folder it is called from: that could run code of its own.
      // Nor its .env: that could send a key elsewhere.
      compile: { outfile, assets, autoloadBunfig: false, autoloadDotenv: false },
    })
    await rename(outfile, file)
  } finally {
    await rm(aside, { recursive: true })
  }
}

const [option, file = join(dist, 'handbill')] = process.argv.slice(2)
if (option === '--executable') await buildExecutable(resolve(file))
else await buildServer(join(dist, 'server'))
