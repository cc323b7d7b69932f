import { type Brand, shownName } from '../../../model/brand.ts'
import { type Html, html, rawHtml } from '../../../model/html.ts'
import type { Assets } from '../../kit/assets.ts'
import { logoImage } from '../../kit/brand.ts'
import { metaTags } from '../../kit/document.ts'
import { POINTER_GUARD } from '../../kit/pointer-guard.ts'
import { ownerBarElement, ownerBarHead } from '../owner-bar/owner-bar.ts'
import { panelHost, panelScript } from '../panel/panel.ts'
import { FILE_QUERY, pictureOf } from '../request/paths.ts'
import type { ShellOptions } from './document.ts'

export interface ViewerOptions extends Omit<ShellOptions, 'frame' | 'script'> {
  file: { name: string; mime: string; size_bytes: number }
  /** The URL of the file, on the same origin and with support for ranges. */
  fileUrl: string
  /** Null for view-only: neither a download nor a print button. */
  downloadUrl: string | null
  /** The tokens by which the time of this view is reported; '' where it is not measured. */
  timeToken: string
  stamp: string
  assets: Assets
  brand: Brand
}

/** The document of ours around a PDF or an image. Send it with `viewerCsp` of the same nonce. */
export function viewerPage(options: ViewerOptions): string {
  const { title, assets, nonce, accent, panel, ownerBar } = options
  const kind = options.file.mime === 'application/pdf' ? 'pdf' : 'image'
  const printed = html`<div id="print" aria-hidden="true"></div>`
  return html`<!doctype html>
<html lang="en" data-accent="${accent}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
${!options.isIndexed && html`<meta name="robots" content="noindex">`}
<meta name="referrer" content="same-origin">
<title>${title}</title>
${previewTags(options)}
<link rel="icon" href="data:,">
<link rel="stylesheet" nonce="${nonce}" href="${assets.url('fonts.css')}">
${kind === 'pdf' && pdfHead(assets, nonce)}
<link rel="stylesheet" nonce="${nonce}" href="${assets.url('viewer.css')}">
${ownerBarHead(ownerBar, nonce)}
<script type="module" nonce="${nonce}" src="${assets.url('viewer.js')}"></script>
</head>
<body data-kind="${kind}" data-file="${options.fileUrl}" data-time="${options.timeToken}"
 data-stamp="${options.stamp}"
 data-size-bytes="${options.file.size_bytes}"${kind === 'pdf' && pdfData(assets)}>
${
  (panel !== null || ownerBar !== null) &&
  html`<script nonce="${nonce}">${rawHtml(POINTER_GUARD)}</script>`
}
${ownerBarElement(ownerBar, nonce)}
${bar(options, kind)}
<main>
${kind === 'pdf' ? pdfContainer(options) : image(options)}
</main>
${positionBar(kind)}
${kind === 'pdf' && findForm()}
<nav id="outline" aria-label="Contents" hidden></nav>
<section id="message" aria-live="polite" hidden></section>
<p id="status" class="visually-hidden" aria-live="polite"></p>
${kind === 'pdf' && options.downloadUrl !== null && printed}
${panel !== null && panelHost(panel)}
${panelScript(panel, nonce)}
</body>
</html>
`.toString()
}

/**
 * Our own trusted document: only scripts with the nonce run, and those that they load. pdf.js
 * compiles WebAssembly in its worker, which has a policy of its own. Who may frame it is said by
 * the headers of every document of ours.
 */
export function viewerCsp(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "font-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function previewTags({ og, title, file }: ViewerOptions): Html {
  const previewTitle = og.title ?? title
  // An image is its own picture, but chat programs show no SVG.
  const isPicture = /^image\/(?:png|jpeg|gif|webp)$/.test(file.mime)
  const image = isPicture ? og.url + FILE_QUERY : pictureOf(og.url)
  return metaTags({
    'og:type': 'article',
    'og:url': og.url,
    'og:title': previewTitle,
    'twitter:card': 'summary_large_image',
    'twitter:title': previewTitle,
    description: og.description,
    'og:description': og.description,
    'twitter:description': og.description,
    'og:image': image,
  })
}

function pdfHead(assets: Assets, nonce: string): Html {
  const preload = (name: string) =>
    html`<link rel="modulepreload" nonce="${nonce}" href="${assets.url(name)}">\n`
  return html`<link rel="stylesheet" nonce="${nonce}" href="${assets.url('pdf.css')}">
${preload('pdf.js')}${preload('pdf.viewer.js')}`
}

function pdfData(assets: Assets): Html {
  const folder = (name: string) => assets.url(`pdfjs/${name}/`)
  return html` data-pdf-js="${assets.url('pdf.js')}"
 data-pdf-viewer="${assets.url('pdf.viewer.js')}"
 data-pdf-worker="${assets.url('pdf.worker.js')}" data-pdf-maps="${folder('cmaps')}"
 data-pdf-fonts="${folder('standard_fonts')}" data-pdf-wasm="${folder('wasm')}"
 data-pdf-images="${folder('images')}"`
}

function bar({ title, file, downloadUrl, brand }: ViewerOptions, kind: 'pdf' | 'image'): Html {
  const download = `Download ${file.name}, ${sizeOf(file.size_bytes)}`
  return html`<header id="bar">
${byLine(brand)}<h1 title="${title}">${title}</h1>
<div id="tools">
${
  kind === 'pdf' &&
  html`<button type="button" class="tool scripted" id="outline-button" aria-expanded="false"
 aria-controls="outline" title="Contents" hidden>${icon('contents')}<span>Contents</span></button>
<button type="button" class="tool scripted" id="find-button" aria-expanded="false"
 aria-controls="find" title="Find in this document" hidden>${icon('find')}<span>Find</span></button>
${
  downloadUrl !== null &&
  html`<button type="button" class="tool scripted" id="print-button" title="Print" hidden
>${icon('print')}<span>Print</span></button>`
}`
}
${
  downloadUrl !== null &&
  html`<a class="tool primary" id="download" href="${downloadUrl}" download="${file.name}"
 title="${download}">${icon('download')}<span>Download</span></a>`
}
</div>
</header>`
}

/** The owner, as they present themselves. */
function byLine(brand: Brand): Html | undefined {
  const name = shownName(brand.name)
  if (name === null && brand.logo === null) return undefined
  return html`<p id="by">${logoImage(brand)}${name && html`<span>${name}</span>`}</p>\n`
}

function pdfContainer({ file, fileUrl }: ViewerOptions): Html {
  return html`<noscript><div class="no-script">
<p>This browser runs no scripts here, so the pages cannot be drawn.</p>
<p><a href="${fileUrl}">Open ${file.name}</a> (${sizeOf(file.size_bytes)})</p>
</div></noscript>
<div id="container" tabindex="0"><div id="viewer" class="pdfViewer"></div>
<div id="placeholder" class="scripted" aria-hidden="true"></div></div>`
}

function image({ title, fileUrl }: ViewerOptions): Html {
  return html`<div id="container" tabindex="0">
<img id="image" src="${fileUrl}" alt="${title}"></div>`
}

function positionBar(kind: 'pdf' | 'image'): Html {
  return html`<div id="position" class="scripted" role="region" aria-label="Place in the document">
${
  kind === 'pdf' &&
  html`<label id="pages" hidden>Page <input id="page" type="number" inputmode="numeric" min="1"
 value="1"> of <span id="page-count"></span></label>`
}
<button type="button" id="zoom-out" aria-label="Zoom out" title="Zoom out">${icon('minus')}</button>
<button type="button" id="zoom-fit">100%</button>
<button type="button" id="zoom-in" aria-label="Zoom in" title="Zoom in">${icon('plus')}</button>
</div>`
}

function findForm(): Html {
  return html`<form id="find" role="search" hidden>
<label><span class="visually-hidden">Find in this document</span>
<input id="find-field" type="search" placeholder="Find in this document" autocomplete="off"
 autocapitalize="off" spellcheck="false"></label>
<output id="find-count" for="find-field"></output>
<button type="button" id="find-previous" aria-label="Previous match" title="Previous match"
>${icon('up')}</button>
<button type="submit" id="find-next" aria-label="Next match" title="Next match"
>${icon('down')}</button>
<button type="button" id="find-close" aria-label="Close find" title="Close"
>${icon('close')}</button>
</form>`
}

/** `1.4 MB`, in the thousands that file managers count. */
export function sizeOf(sizeBytes: number): string {
  if (sizeBytes < 1000) return `${sizeBytes} bytes`
  const kilobytes = sizeBytes / 1000
  if (kilobytes < 1000) return `${Math.round(kilobytes)} KB`
  const megabytes = kilobytes / 1000
  return `${megabytes < 10 ? megabytes.toFixed(1) : Math.round(megabytes)} MB`
}

/** SVG paths on a square of 16 units, stroked in the colour of the text. */
const PATHS = {
  contents: '<path d="M2 4h1M2 8h1M2 12h1M6 4h8M6 8h8M6 12h5"/>',
  find: '<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/>',
  print: '<path d="M4.5 6V2h7v4M4.5 11H2V6h12v5h-2.5"/><path d="M4.5 9.5h7V14h-7z"/>',
  download: '<path d="M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11"/>',
  plus: '<path d="M8 3v10M3 8h10"/>',
  minus: '<path d="M3 8h10"/>',
  up: '<path d="m3.5 10 4.5-4.5 4.5 4.5"/>',
  down: '<path d="m3.5 6 4.5 4.5 4.5-4.5"/>',
  close: '<path d="m4 4 8 8M12 4l-8 8"/>',
} as const

function icon(name: keyof typeof PATHS): Html {
  return html`<svg viewBox="0 0 16 16" aria-hidden="true">${rawHtml(PATHS[name])}</svg>`
}
