import { join } from 'node:path'
import { compile } from 'tailwindcss'

/** Builds the dashboard: its scripts, split where they are loaded later, and its stylesheet. */
const folder = join(import.meta.dir, 'app')

export interface BuiltScript {
  file: string
  bytes: Uint8Array
  /** The entry script, which the document names. It loads the others. */
  isEntry: boolean
}

/** The scripts name each other by their file names, which hold the hash of the content. */
export async function appScripts(): Promise<BuiltScript[]> {
  const built = await Bun.build({
    entrypoints: [join(folder, 'main.tsx')],
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    naming: { entry: 'app-[hash].[ext]', chunk: 'app-[name]-[hash].[ext]' },
  })
  return Promise.all(
    built.outputs.map(async (output) => ({
      file: output.path.replace(/^.*\//, ''),
      bytes: new Uint8Array(await output.arrayBuffer()),
      isEntry: output.kind === 'entry-point',
    })),
  )
}

/**
 * The utility classes that the dashboard's sources name, after `styles`. Every word of the sources is
 * a candidate: the compiler ignores those that are no utility.
 */
export async function appStyles(styles: string): Promise<string> {
  const compiler = await compile(styles, {
    base: folder,
    loadStylesheet: async (id, base) => {
      const path = join(import.meta.dir, '../node_modules', id)
      return { path, base, content: await Bun.file(path).text() }
    },
  })
  const files = [...new Bun.Glob('**/*.tsx').scanSync(folder)].sort()
  const sources = await Promise.all(files.map((file) => Bun.file(join(folder, file)).text()))
  return compiler.build(sources.flatMap((source) => source.split(/[\s"'`]+/)))
}
