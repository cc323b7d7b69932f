import { cp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { manualLines } from '../cli/manual.ts'

/**
 * `bin/bun build/program.ts [file]` compiles src and the web files in dist/web to one executable,
 * dist/handbill, which bin/handbill runs, and writes its manual page, handbill.1, beside it. It has
 * the bytecode of its modules: with it, a start takes half of the time.
 */
const root = resolve(import.meta.dir, '..')
const file = resolve(process.argv[2] ?? join(root, 'dist/handbill'))

/**
 * The executable contains the program and the web files at the same relative paths as the checkout.
 * It is built in a temporary folder and renamed, because a running executable cannot be overwritten:
 * one that runs keeps its own file, with all that it has not loaded yet. An interrupted build leaves
 * the folder behind.
 */
const temporary = join(dirname(file), '.executable')
await rm(temporary, { recursive: true, force: true })
try {
  const outfile = join(temporary, 'handbill')
  const assets = [join(temporary, 'dist')]
  await cp(join(root, 'dist/web'), join(temporary, 'dist/web'), { recursive: true })
  await Bun.build({
    entrypoints: [join(root, 'src/main.ts')],
    root,
    target: 'bun',
    format: 'esm',
    // Chunks are split at dynamic imports, and evaluated when they are imported.
    splitting: true,
    naming: { chunk: 'dist/server/[name]-[hash].[ext]' },
    bytecode: true,
    // Stack traces have the names of functions, and by the source maps the lines of the sources.
    minify: { whitespace: true, syntax: true },
    sourcemap: 'linked',
    // React’s own checks and warnings are left out.
    define: { 'process.env.NODE_ENV': '"production"' },
    // A bunfig.toml in the working folder could run code, and a .env could send an API key to
    // another server.
    compile: { outfile, assets, autoloadBunfig: false, autoloadDotenv: false },
  })
  await rename(outfile, file)
  await writeFile(join(dirname(file), 'handbill.1'), `${(await manualLines()).join('\n')}\n`)
} finally {
  await rm(temporary, { recursive: true })
}
