import { readFileSync } from 'node:fs'
import { mkdir, readdir, unlink } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import type { BunPlugin } from 'bun'
import { compile } from 'tailwindcss'
import { buildCommandLine } from '../build/client.ts'
import { renderDocs } from '../build/docs/index.ts'
import { ASSET_PREFIX, type Manifest } from '../src/http/kit/assets.ts'
import {
  compress,
  ENCODINGS,
  FILE_SUFFIX,
  isCompressible,
  MIN_ENCODED_BYTES,
} from '../src/http/kit/encodings.ts'
import { TOKENS } from '../src/http/kit/tokens.ts'
import { SANDBOX_POLYFILLS } from '../src/model/sandbox-polyfills.ts'
import { SERVER_URL } from '../src/model/site.ts'

/** The names that our styles use, and the packages of the fonts. */
const FACES = [
  { family: 'Handbill Sans', slug: 'instrument-sans' },
  { family: 'Handbill Serif', slug: 'newsreader' },
  { family: 'Handbill Mono', slug: 'source-code-pro' },
]
/** Browsers load the second only for pages with its letters (ő, ł, ş …). */
const SUBSETS = ['latin', 'latin-ext']

const root = resolve(import.meta.dir, '..')
const modules = join(root, 'node_modules')
const appFolder = join(import.meta.dir, 'app')
const VIEWER_STYLES = ['viewer/viewer.css', 'viewer/document.css', 'viewer/panels.css']
const DOCS_STYLES = ['docs/frame.css', 'docs/text.css', 'docs/reference.css']

/** The scripts that are no modules, by their names in the manifest. */
const SCRIPTS = {
  'docs.js': 'docs/main.ts',
  'draft-frame.js': 'draft-frame/main.ts',
  'shell.js': 'shell/main.ts',
  'shell.frame.js': 'shell/frame/main.ts',
  'shell.frame.passages.js': 'shell/frame/passages/main.ts',
  'owner-bar.js': 'owner-bar/main.ts',
  'panel.js': 'panel/main.ts',
  'gate.fragment.js': 'gate/fragment.ts',
  'gate.waiting.js': 'gate/waiting.ts',
  'sign-in.js': 'sign-in/main.ts',
  'runtime.js': 'runtime/main.ts',
  'runtime.stub.js': 'runtime/stub.ts',
}

interface Output {
  dist: string
  manifest: Manifest
}

/**
 * `bin/bun web/build.ts [folder]` builds everything that browsers load from the service. A file's
 * name holds the hash of its content; `manifest.json` maps logical names to files.
 */
export async function buildWeb(dist: string): Promise<Manifest> {
  await mkdir(dist, { recursive: true })
  const manifest: Manifest = {}
  const output = { dist, manifest }
  const put = (name: string, bytes: Uint8Array) => writeHashed(output, name, bytes)

  const fonts = await readFonts()
  await Promise.all(fonts.map(async ({ name, path }) => put(name, await bytesOf(path))))
  await put('fonts.css', encoded(fontStyles(fonts, (name) => manifest[name]!.file)))

  await put('viewer.css', encoded(await styles('tokens.css', ...VIEWER_STYLES)))
  await put('docs.css', encoded(await styles('tokens.css', 'base.css', ...DOCS_STYLES)))
  await put('viewer.js', await bundle('viewer/main.ts'))
  await put('panel.cards.js', await bundle('panel/cards/main.ts'))
  for (const [name, entry] of Object.entries(SCRIPTS)) await put(name, await bundle(entry, 'iife'))
  for (const polyfill of SANDBOX_POLYFILLS) {
    await put(`sandbox.${polyfill}.js`, await bundle(`sandbox/${polyfill}.ts`, 'iife'))
  }
  await putApp(output, fonts)
  await putPdfjs(output)
  await putDocs(output)
  await putTexts(output, [['cli', await buildCommandLine(SERVER_URL)]])
  await putDrawing(output)
  await put('mermaid.js', await bytesOf(join(modules, '@mermaid-js/tiny/dist/mermaid.tiny.js')))

  await Bun.write(join(dist, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`)
  await removeStaleFiles(dist, manifest)
  return manifest
}

async function putApp(output: Output, fonts: Fonts): Promise<void> {
  const sources = await styles('app/app.css', 'tokens.css', 'threads/threads.css')
  const css = compact(await appStyles(sources))
  // The document has them in it, so they name the fonts by their paths on the server.
  const faces = fontStyles(fonts, (name) => ASSET_PREFIX + output.manifest[name]!.file)
  await writeHashed(output, 'app.css', encoded(`${css}\n${faces}`))
  await writeHashed(output, 'app.early.js', await bundle('app/early/record.ts', 'iife'))
  for (const { file, bytes, isEntry } of await appScripts()) {
    await write(output, { name: isEntry ? 'app.js' : file, file, bytes })
  }
}

async function putDocs(output: Output): Promise<void> {
  const { dist, manifest } = output
  const fileOf = (name: string) => manifest[name]!.file
  const files = await renderDocs({
    url: (name) => ASSET_PREFIX + fileOf(name),
    text: (name) => readFileSync(join(dist, fileOf(name)), 'utf8'),
  })
  await putTexts(output, files)
}

/** Texts in which the server fills in its own address. */
async function putTexts(
  { dist, manifest }: Output,
  files: Iterable<readonly [string, string]>,
): Promise<void> {
  for (const [name, text] of files) {
    manifest[name] = { file: name, mime: '' }
    await Bun.write(join(dist, name), text)
  }
}

/**
 * Copies pdf.js. It requests its data files by folder and name, so the folder's name holds the
 * version. The legacy build runs on phones of three years ago; the other needs a browser of this
 * year. Colour profiles (qcms) are left out: they need a worker that fetches, and ours may not.
 */
async function putPdfjs(output: Output): Promise<void> {
  const source = join(modules, 'pdfjs-dist')
  const put = (name: string, bytes: Uint8Array) => writeHashed(output, name, bytes)
  await put('pdf.js', await bytesOf(join(source, 'legacy/build/pdf.min.mjs')))
  await put('pdf.worker.js', await bytesOf(join(source, 'legacy/build/pdf.worker.min.mjs')))
  await put('pdf.viewer.js', await bundle(join(source, 'legacy/web/pdf_viewer.mjs')))

  const layers = await Bun.file(join(source, 'web/pdf_viewer.css')).text()
  await put('pdf.css', encoded(layerStyles(layers)))

  const { version } = await Bun.file(join(source, 'package.json')).json()
  for (const folder of ['cmaps', 'standard_fonts', 'wasm', 'web/images']) {
    const name = `pdfjs/${folder.replace('web/', '')}/`
    const target = name.replace('pdfjs', `pdfjs-${version}`)
    output.manifest[name] = { file: target, mime: '' }
    for (const file of await readdir(join(source, folder))) {
      if (/^(LICENSE|qcms)/.test(file) || (folder === 'web/images' && !/^annotation/.test(file)))
        continue
      const bytes = await bytesOf(join(source, folder, file))
      await write(output, { name: name + file, file: target + file, bytes })
    }
  }
}

/** What the server alone reads, to draw the pictures of links. Other fonts are there already. */
async function putDrawing({ dist, manifest }: Output): Promise<void> {
  const file = 'newsreader-vietnamese-wght-normal.woff2'
  const source = join(modules, '@fontsource-variable/newsreader/files', file)
  manifest[`fonts/${file}`] = { file, mime: '' }
  await Bun.write(join(dist, file), await bytesOf(source))
}

/** The styles of pdf.js for the layers of a page: text, links, fields. Its toolbars are not used. */
function layerStyles(css: string): string {
  const between = (start: string, end: string) => {
    const part = css.slice(css.indexOf(start), css.indexOf(end, css.indexOf(start)))
    if (!part.startsWith(start) || part.length > 50_000) throw new Error(`no ${start} in pdf.js`)
    return part
  }
  const layers = between('.textLayer{', ':root{')
  const pages = between('[data-main-rotation="90"]{', '.pdfViewer .page.loadingIcon::after{')
  return compact(`${layers}\n${pages}`)
}

/** Styles that a script holds as text, without what only people read. */
const compactStyles: BunPlugin = {
  name: 'compact-styles',
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => ({
      contents: compact(await Bun.file(path).text()),
      loader: 'text',
    }))
  },
}

export async function bundle(entry: string, format: 'esm' | 'iife' = 'esm'): Promise<Uint8Array> {
  const result = await Bun.build({
    entrypoints: [resolve(import.meta.dir, entry)],
    target: 'browser',
    format,
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [compactStyles],
  })
  return new Uint8Array(await result.outputs[0]!.arrayBuffer())
}

/** Joins styles and removes comments and indentation. A bundler would also rewrite values. */
async function styles(...names: string[]): Promise<string> {
  const textOf = (name: string) =>
    name === 'tokens.css' ? TOKENS : Bun.file(join(import.meta.dir, name)).text()
  return compact((await Promise.all(names.map(textOf))).join('\n'))
}

function compact(css: string): string {
  const withoutComments = css.replace(/\/\*[\s\S]*?\*\//g, '')
  const lines = withoutComments.replace(/\s*\n\s*/g, '\n').trim()
  return lines
    .replace(/;?\n\}/g, '}')
    .replace(/([{},;])\n/g, '$1')
    .replace(/ \{/g, '{')
    .replace(/([{;][\w-]+): (?=[^;}])/g, '$1:')
}

function writeHashed(output: Output, name: string, bytes: Uint8Array): Promise<void> {
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 10)
  const file = name.replace(/^.*\//, '').replace(/(\.[^.]+)$/, `-${hash}$1`)
  return write(output, { name, file, bytes })
}

async function write(
  { dist, manifest }: Output,
  { name, file, bytes }: { name: string; file: string; bytes: Uint8Array },
): Promise<void> {
  const mime = MIMES[file.replace(/^.*\./, '')] ?? 'application/octet-stream'
  const isEncoded = bytes.length >= MIN_ENCODED_BYTES && isCompressible(mime)
  manifest[name] = { file, mime, ...(isEncoded ? { isEncoded } : {}) }
  await Bun.write(join(dist, file), bytes)
  if (!isEncoded) return
  await Promise.all(
    ENCODINGS.map(async (encoding) =>
      Bun.write(join(dist, file + FILE_SUFFIX[encoding]), await compress(bytes, encoding)),
    ),
  )
}

async function removeStaleFiles(dist: string, manifest: Manifest): Promise<void> {
  const current = new Set(['manifest.json'])
  for (const { file, isEncoded } of Object.values(manifest)) {
    current.add(file)
    if (isEncoded) for (const suffix of Object.values(FILE_SUFFIX)) current.add(file + suffix)
  }
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !current.has(relative(dist, path))) await unlink(path)
  }
}

const MIMES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  wasm: 'application/wasm',
  svg: 'image/svg+xml',
}

function bytesOf(path: string): Promise<Uint8Array> {
  return Bun.file(path).bytes()
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

if (import.meta.main) {
  const startMs = performance.now()
  const dist = resolve(process.argv[2] ?? join(root, 'dist/web'))
  const manifest = await buildWeb(dist)
  const seconds = ((performance.now() - startMs) / 1000).toFixed(2)
  console.error(`${Object.keys(manifest).length} files in ${dist}, ${seconds} s`)
}

/** Reads the upright variable font of each family, as its package declares it. */
function readFonts() {
  return Promise.all(FACES.flatMap((face) => SUBSETS.map((subset) => readFace(face, subset))))
}

type Fonts = Awaited<ReturnType<typeof readFonts>>

/** @param urlOf the URL of a file, relative to the style sheet */
function fontStyles(fonts: Fonts, urlOf: (name: string) => string): string {
  return fonts.map(({ name, css }) => css(urlOf(name))).join('\n')
}

async function readFace({ family, slug }: (typeof FACES)[number], subset: string) {
  const folder = join(modules, '@fontsource-variable', slug)
  const css = await Bun.file(join(folder, 'wght.css')).text()
  const file = `${slug}-${subset}-wght-normal.woff2`
  const block = css.split('@font-face').find((part) => part.includes(`/${file})`))
  const weights = block?.match(/font-weight:\s*([^;]+);/)?.[1]
  const range = block?.match(/unicode-range:\s*([^;]+);/)?.[1]
  if (weights === undefined || range === undefined) throw new Error(`no face ${file} in ${slug}`)
  return {
    name: `fonts/${file}`,
    path: join(folder, 'files', file),
    css: (url: string) =>
      `@font-face{font-family:"${family}";font-weight:${weights};font-display:swap;` +
      `src:url(${url}) format("woff2");unicode-range:${range}}`,
  }
}

/** The scripts name each other by their file names, which hold the hash of the content. */
async function appScripts() {
  const { outputs } = await Bun.build({
    entrypoints: [join(appFolder, 'main.tsx')],
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    naming: { entry: 'app-[hash].[ext]', chunk: 'app-[name]-[hash].[ext]' },
  })
  return Promise.all(
    outputs.map(async (output) => ({
      file: output.path.replace(/^.*\//, ''),
      bytes: new Uint8Array(await output.arrayBuffer()),
      /** The entry script, which the document names. It loads the others. */
      isEntry: output.kind === 'entry-point',
    })),
  )
}

/**
 * The utility classes that the dashboard's sources name, after `styles`. Every word of the sources is
 * a candidate: the compiler ignores those that are no utility.
 */
async function appStyles(styles: string): Promise<string> {
  const compiler = await compile(styles, {
    base: appFolder,
    loadStylesheet: async (id, base) => {
      const path = join(import.meta.dir, '../node_modules', id)
      return { path, base, content: await Bun.file(path).text() }
    },
  })
  const files = [...new Bun.Glob('**/*.tsx').scanSync(appFolder)].sort()
  const sources = await Promise.all(files.map((file) => Bun.file(join(appFolder, file)).text()))
  return compiler.build(sources.flatMap((source) => source.split(/[\s"'`]+/)))
}
