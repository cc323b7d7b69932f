import { mkdir, readdir, unlink } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Manifest } from '../src/http/kit/assets.ts'
import { readFonts } from './fonts.ts'

/**
 * `bin/bun web/build.ts [folder]`: everything the browser loads from us, each file named by its
 * content, and `manifest.json` to find it by its logical name.
 */
const root = resolve(import.meta.dir, '..')
const modules = join(root, 'node_modules')
const VIEWER_SHEETS = ['viewer/viewer.css', 'viewer/sheets.css', 'viewer/panels.css']

export async function buildWeb(dist: string): Promise<Manifest> {
  await mkdir(dist, { recursive: true })
  const manifest: Manifest = {}
  const put = (name: string, bytes: Uint8Array) => writeHashed(dist, manifest, name, bytes)

  const fonts = await readFonts(modules)
  await Promise.all(fonts.files.map(async ({ name, path }) => put(name, await bytesOf(path))))
  await put('fonts.css', text(fonts.css((name) => manifest[name]!.file)))

  await put('viewer.css', text(await sheets('tokens.css', ...VIEWER_SHEETS)))
  await put('docs.css', text(await sheets('tokens.css', 'base.css', 'docs.css')))
  await put('viewer.js', await bundle('viewer/main.ts'))
  await put('shell.js', await bundle('shell/main.ts', 'iife'))
  await put('shell.frame.js', await bundle('shell/frame/main.ts', 'iife'))
  await put('runtime.js', await bundle('runtime/main.ts', 'iife'))
  await put('runtime.stub.js', await bundle('runtime/stub.ts', 'iife'))
  await putPdfjs(dist, manifest)

  await Bun.write(join(dist, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`)
  await removeOthers(dist, manifest)
  return manifest
}

/**
 * pdf.js asks for its data files by folder and name, so the folder names the release. The legacy
 * build runs on phones of three years ago; the other needs a browser of this year. Colour profiles
 * are left out: only a worker that may fetch could use them, and ours may not.
 */
async function putPdfjs(dist: string, manifest: Manifest): Promise<void> {
  const source = join(modules, 'pdfjs-dist')
  const put = (name: string, bytes: Uint8Array) => writeHashed(dist, manifest, name, bytes)
  await put('pdf.js', await bytesOf(join(source, 'legacy/build/pdf.min.mjs')))
  await put('pdf.worker.js', await bytesOf(join(source, 'legacy/build/pdf.worker.min.mjs')))
  await put('pdf.viewer.js', await bundle(join(source, 'legacy/web/pdf_viewer.mjs')))

  await put('pdf.css', text(layersOf(await Bun.file(join(source, 'web/pdf_viewer.css')).text())))

  const { version } = await Bun.file(join(source, 'package.json')).json()
  for (const folder of ['cmaps', 'standard_fonts', 'wasm', 'web/images']) {
    const name = `pdfjs/${folder.replace('web/', '')}/`
    const target = name.replace('pdfjs', `pdfjs-${version}`)
    manifest[name] = { file: target, mime: '' }
    for (const file of await readdir(join(source, folder))) {
      if (/^(LICENSE|qcms)/.test(file) || (folder === 'web/images' && !/^annotation/.test(file)))
        continue
      const bytes = await bytesOf(join(source, folder, file))
      await write(dist, manifest, { name: name + file, file: target + file, bytes })
    }
  }
}

/** Of the sheet of pdf.js, what lies over a page: text, links, fields. Its bars are our own. */
function layersOf(sheet: string): string {
  const between = (start: string, end: string) => {
    const found = sheet.slice(sheet.indexOf(start), sheet.indexOf(end, sheet.indexOf(start)))
    if (!found.startsWith(start) || found.length > 50_000) throw new Error(`no ${start} in pdf.js`)
    return found
  }
  const layers = between('.textLayer{', ':root{')
  const pages = between('[data-main-rotation="90"]{', '.pdfViewer .page.loadingIcon::after{')
  return shorten(`${layers}\n${pages}`)
}

async function bundle(entry: string, format: 'esm' | 'iife' = 'esm'): Promise<Uint8Array> {
  const built = await Bun.build({
    entrypoints: [resolve(import.meta.dir, entry)],
    target: 'browser',
    format,
    minify: true,
  })
  return new Uint8Array(await built.outputs[0]!.arrayBuffer())
}

/** Comments and indentation go; nothing is rewritten, for browsers to read what we wrote. */
async function sheets(...names: string[]): Promise<string> {
  const texts = await Promise.all(names.map((name) => Bun.file(join(import.meta.dir, name)).text()))
  return shorten(texts.join('\n'))
}

function shorten(css: string): string {
  const bare = css.replace(/\/\*[\s\S]*?\*\//g, '')
  return bare.replace(/\s*\n\s*/g, '\n').trim()
}

function writeHashed(dist: string, manifest: Manifest, name: string, bytes: Uint8Array) {
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 10)
  const file = name.replace(/^.*\//, '').replace(/(\.[^.]+)$/, `-${hash}$1`)
  return write(dist, manifest, { name, file, bytes })
}

async function write(
  dist: string,
  manifest: Manifest,
  { name, file, bytes }: { name: string; file: string; bytes: Uint8Array },
): Promise<void> {
  const mime = mimeOf(file)
  const zipped = worthZipping(mime, bytes.length) ? gzipSync(bytes, { level: 9 }) : null
  manifest[name] = { file, mime, ...(zipped ? { gzip: true } : {}) }
  await Bun.write(join(dist, file), bytes)
  if (zipped) await Bun.write(join(dist, `${file}.gz`), zipped)
}

function worthZipping(mime: string, sizeBytes: number): boolean {
  return sizeBytes > 1024 && /^(text\/|application\/wasm|font\/ttf)/.test(mime)
}

/** What an earlier build left. */
async function removeOthers(dist: string, manifest: Manifest): Promise<void> {
  const kept = new Set(['manifest.json'])
  for (const { file, gzip } of Object.values(manifest)) {
    kept.add(file)
    if (gzip) kept.add(`${file}.gz`)
  }
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !kept.has(relative(dist, path))) await unlink(path)
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

function mimeOf(file: string): string {
  return MIMES[file.replace(/^.*\./, '')] ?? 'application/octet-stream'
}

function bytesOf(path: string): Promise<Uint8Array> {
  return Bun.file(path).bytes()
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value)
}

if (import.meta.main) {
  const started = performance.now()
  const dist = resolve(process.argv[2] ?? join(root, 'dist/web'))
  const manifest = await buildWeb(dist)
  const seconds = ((performance.now() - started) / 1000).toFixed(2)
  console.error(`${Object.keys(manifest).length} files in ${dist}, ${seconds} s`)
}
