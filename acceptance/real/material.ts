/**
 * Pages as other tools produce them, generated at every run from npm packages, so that none of it
 * is in the repository.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import PDFDocument from 'pdfkit'
import type { Page as Tab } from 'playwright-core'

const MODULES = join(import.meta.dir, '..', '..', 'node_modules')

export interface DeckSource {
  files: { path: string; html: string }[]
  assets: { path: string; bytes: Uint8Array }[]
  entry: string
}

export interface Picture {
  name: string
  mime: string
  bytes: Uint8Array
  width: number
  height: number
}

function installed(path: string): Uint8Array {
  return new Uint8Array(readFileSync(join(MODULES, path)))
}
function installedText(path: string): string {
  return readFileSync(join(MODULES, path), 'utf8')
}

/**
 * The demo of reveal.js with all its plugins. Images from other sites are replaced by one of the
 * deck, so that the tests need no network.
 */
export function revealDeck(picture: Picture): DeckSource {
  const demo = installedText('reveal.js/demo.html')
    .replaceAll(/https?:\/\/[^"\s]+\.(?:png|svg|gif)/g, 'media/picture.png')
    .replaceAll(/data-(?:background|preview)-(?:video|iframe)="[^"]*"/g, '')
    .replaceAll(/data-src="https:[^"]*"/g, '')
  const plugins = ['highlight', 'markdown', 'notes', 'search', 'zoom']
  const dist = [
    'reset.css',
    'reveal.css',
    'reveal.js',
    'plugin/highlight/monokai.css',
    ...readdirSync(join(MODULES, 'reveal.js/dist/theme')).map((name) => `theme/${name}`),
    ...plugins.map((name) => `plugin/${name}.js`),
  ]
  const font = 'reveal.js/css/theme/fonts/league-gothic/league-gothic'
  return {
    entry: 'index.html',
    files: [
      { path: 'index.html', html: demo },
      { path: 'handout/index.html', html: HANDOUT },
    ],
    assets: [
      ...dist.map((name) => ({
        path: `dist/${name}`,
        bytes: installed(`reveal.js/dist/${name}`),
      })),
      { path: 'fonts/league-gothic.css', bytes: installed(`${font}.css`) },
      { path: 'fonts/league-gothic.woff', bytes: installed(`${font}.woff`) },
      { path: 'media/picture.png', bytes: picture.bytes },
    ],
  }
}

/** A second page of the deck, in a folder, with root-relative references. */
const HANDOUT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Handout</title>
<link rel="stylesheet" href="/fonts/league-gothic.css">
<style>
body { max-width: 40em; margin: 3em auto; font: 1.1em/1.5 Georgia, serif }
h1 { font: 3em "League Gothic"; background: url(/media/picture.png) 0 0 / cover }
</style></head><body>
<h1>Handout to the slides</h1>
<p>Three ways back: <a id="root" href="/index.html#/2">from the root</a>,
<a id="up" href="../index.html">a folder up</a>, <a id="site" href="/">the site itself</a>.</p>
<img src="/media/picture.png" alt="A picture" width="320">
</body></html>
`

/** One HTML file with photographs as data: URIs, as note-taking tools export it. */
export function photoEssay(pictures: Picture[]): string {
  const figures = pictures.map((picture) => {
    const { name, bytes } = picture
    return `<figure><img alt="${name}" src="${dataUri(picture)}">
<figcaption>${name}, ${bytes.byteLength.toLocaleString('en')} bytes</figcaption></figure>`
  })
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Photo essay</title>
<style>body { margin: 2em; display: grid; grid-template-columns: 1fr 1fr; gap: 1em }
h1 { grid-column: 1 / -1 } img { width: 100% }</style></head><body>
<h1>Everything in one file</h1>
${figures.join('\n')}
</body></html>
`
}

function dataUri({ mime, bytes }: Picture): string {
  return `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`
}

/** A chart with plotly.js as an inline script, as its HTML export writes it. */
export function chartPage(): string {
  const plotly = installedText('plotly.js-dist-min/plotly.min.js')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A chart</title></head><body>
<div id="chart" style="width:900px;height:600px"></div>
<script>${plotly}</script>
<script>
const x = Array.from({ length: 200 }, (_, i) => i / 10)
Plotly.newPlot('chart', [
  { x, y: x.map(Math.sin), mode: 'lines+markers', name: 'sine' },
  { x: x.slice(0, 20), y: x.slice(0, 20).map((v) => v * v), type: 'bar', name: 'squares' },
], { title: { text: 'Drawn by a script of several megabytes' } })
</script></body></html>
`
}

export const PDF_PAGES = 60

/** A manual with a contents tree, and photographs that make it several megabytes. */
export async function manual(photographs: Picture[]): Promise<Uint8Array> {
  const doc = new PDFDocument({ size: 'A4', info: { Title: 'The manual' }, bufferPages: false })
  const whole = collected(doc)
  // As a data: URI: pdfkit then embeds a photograph once, even if several pages show it.
  const images = photographs.map(dataUri)
  for (let page = 1; page <= PDF_PAGES; page++) {
    if (page > 1) doc.addPage()
    if (page % 10 === 1) doc.outline.addItem(`Part ${Math.ceil(page / 10)}`)
    doc.fontSize(24).text(`Chapter ${page} of the manual`)
    doc.moveDown().fontSize(11)
    doc.text('A paragraph as manuals have them, which says little and takes its time. '.repeat(12))
    doc.moveDown().image(images[page % images.length]!, { fit: [450, 400] })
  }
  doc.end()
  return whole
}

async function collected(doc: AsyncIterable<unknown>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of doc) chunks.push(chunk as Uint8Array)
  return new Uint8Array(Buffer.concat(chunks))
}

export type DrawnType = 'png' | 'jpeg' | 'webp'

/** An image of this size and type, encoded by the browser; `seed` varies it. */
export async function drawn(
  tab: Tab,
  type: DrawnType,
  { width, height, seed }: { width: number; height: number; seed: number },
): Promise<Picture> {
  const mime = `image/${type}`
  const data = await tab.evaluate(draw, { mime, width, height, seed })
  const bytes = new Uint8Array(Buffer.from(data, 'base64'))
  return { name: `picture-${seed}.${type === 'jpeg' ? 'jpg' : type}`, mime, bytes, width, height }
}

/** Runs in the browser: draws a noisy landscape, because a smooth image compresses too well. */
async function draw(size: { mime: string; width: number; height: number; seed: number }) {
  const { mime, width, height } = size
  let state = size.seed
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
  const canvas = new OffscreenCanvas(width, height)
  const pen = canvas.getContext('2d')!
  const sky = pen.createLinearGradient(0, 0, 0, height)
  sky.addColorStop(0, `hsl(${Math.floor(random() * 360)} 60% 35%)`)
  sky.addColorStop(1, `hsl(${Math.floor(random() * 360)} 80% 75%)`)
  pen.fillStyle = sky
  pen.fillRect(0, 0, width, height)
  for (let i = 0; i < 60; i++) {
    pen.fillStyle = `hsl(${Math.floor(random() * 360)} 70% 50% / 0.5)`
    pen.beginPath()
    pen.arc(random() * width, random() * height, (random() * width) / 8, 0, 7)
    pen.fill()
  }
  const pixels = pen.getImageData(0, 0, width, height)
  for (let i = 0; i < pixels.data.length; i += 4) {
    const grain = (random() - 0.5) * 24
    for (let part = i; part < i + 3; part++) pixels.data[part]! += grain
  }
  pen.putImageData(pixels, 0, 0)
  const blob = await canvas.convertToBlob({ type: mime, quality: 0.9 })
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  }
  return btoa(text)
}

/** An animated GIF from the pdf.js package. */
export function animatedGif(): Picture {
  const bytes = installed('pdfjs-dist/web/images/loading-icon.gif')
  const size = new DataView(bytes.buffer, bytes.byteOffset)
  const [width, height] = [size.getUint16(6, true), size.getUint16(8, true)]
  return { name: 'loading-icon.gif', mime: 'image/gif', bytes, width, height }
}
