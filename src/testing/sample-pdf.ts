/** A PDF for tests with text, an outline and links, and optionally noise images. */
export interface SamplePdf {
  pages: number
  /** The size of each page's noise image, for a large file. */
  bulkBytes?: number
  landscape?: boolean
  /** Lines of text below `Page N of M`. */
  lines?: readonly string[]
}

export function samplePdf({
  pages,
  bulkBytes = 0,
  landscape = false,
  lines = [],
}: SamplePdf): Uint8Array<ArrayBuffer> {
  const [width, height] = landscape ? [960, 540] : [595, 842]
  const objects: Uint8Array[] = []
  const add = (body: string, stream?: Uint8Array) => {
    objects.push(objectOf(objects.length + 1, body, stream))
    return objects.length
  }
  const firstPage = 4
  const perPage = bulkBytes > 0 ? 5 : 4
  const pageOf = (number: number) => firstPage + (number - 1) * perPage
  const outline = pageOf(pages + 1)
  const branches = Math.ceil(pages / BRANCH)
  const branchOf = (number: number) => outline + 3 + Math.floor((number - 1) / BRANCH)

  add(`<< /Type /Catalog /Pages 2 0 R /Outlines ${outline} 0 R >>`)
  add(`<< /Type /Pages /Kids [${refs(outline + 3, branches)}] /Count ${pages} >>`)
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  for (let number = 1; number <= pages; number += 1) {
    const at = pageOf(number)
    const image = bulkBytes > 0 ? `/XObject << /I ${at + 4} 0 R >>` : ''
    add(
      `<< /Type /Page /Parent ${branchOf(number)} 0 R /MediaBox [0 0 ${width} ${height}] ` +
        `/Contents ${at + 1} 0 R /Annots [${at + 2} 0 R ${at + 3} 0 R] ` +
        `/Resources << /Font << /F 3 0 R >> ${image} >> >>`,
    )
    add('<<', latin(contentOf(number, pages, { height, lines, hasImage: bulkBytes > 0 })))
    add(linkOf(`/A << /S /URI /URI (https://example.com/${number}) >>`, [72, height - 160]))
    add(linkOf(`/Dest [${pageOf(pages)} 0 R /Fit]`, [72, height - 190]))
    if (bulkBytes > 0) add(...noiseImage(bulkBytes, number))
  }
  add(`<< /Type /Outlines /First ${outline + 1} 0 R /Last ${outline + 2} 0 R /Count 2 >>`)
  const entry = (title: string, page: number, sibling: string) =>
    `<< /Title (${title}) /Parent ${outline} 0 R ${sibling} /Dest [${pageOf(page)} 0 R /Fit] >>`
  add(entry('The beginning', 1, `/Next ${outline + 2} 0 R`))
  add(entry('The end', pages, `/Prev ${outline + 1} 0 R`))
  for (let first = 1; first <= pages; first += BRANCH) {
    const count = Math.min(BRANCH, pages - first + 1)
    const kids = refs(pageOf(first), count, perPage)
    add(`<< /Type /Pages /Parent 2 0 R /Kids [${kids}] /Count ${count} >>`)
  }
  return assemble(objects)
}

/** Pages per node of the page tree, as most programs write it, so that readers find pages fast. */
const BRANCH = 20

function refs(first: number, count: number, step = 1): string {
  return Array.from({ length: count }, (_, index) => `${first + index * step} 0 R`).join(' ')
}

interface Content {
  height: number
  lines: readonly string[]
  hasImage: boolean
}

function contentOf(number: number, pages: number, { height, lines, hasImage }: Content): string {
  const texts = lines.map((line, index) => {
    const y = height - 230 - index * 18
    return `BT /F 12 Tf 72 ${y} Td (${line.replace(/[()\\]/g, '\\$&')}) Tj ET`
  })
  return [
    `BT /F 28 Tf 72 ${height - 110} Td (Page ${number} of ${pages}) Tj ET`,
    `BT /F 12 Tf 72 ${height - 155} Td (A link to the web) Tj ET`,
    `BT /F 12 Tf 72 ${height - 185} Td (A link to the last page) Tj ET`,
    // A bar in a CMYK colour.
    `0 0.6 0.9 0.1 k 72 ${height - 72} 120 4 re f 0 g`,
    hasImage ? 'q 200 0 0 200 72 72 cm /I Do Q' : '',
    ...texts,
  ].join('\n')
}

function linkOf(target: string, [x, y]: [number, number]): string {
  const box = `${x} ${y} ${x + 130} ${y + 18}`
  return `<< /Type /Annot /Subtype /Link /Rect [${box}] /Border [0 0 0] ${target} >>`
}

function noiseImage(sizeBytes: number, seed: number): [string, Uint8Array] {
  const side = Math.floor(Math.sqrt(sizeBytes / 3))
  const bytes = new Uint8Array(side * side * 3)
  let state = seed * 2654435761
  for (let at = 0; at < bytes.length; at += 1) {
    state = (state * 1664525 + 1013904223) >>> 0
    bytes[at] = state >>> 24
  }
  const size = `/Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8`
  return [`<< /Type /XObject /Subtype /Image ${size}`, bytes]
}

/** The dictionary of an object with a stream is not closed in `body`: the length is added. */
function objectOf(number: number, body: string, stream?: Uint8Array): Uint8Array {
  if (stream === undefined) return latin(`${number} 0 obj\n${body}\nendobj\n`)
  const head = latin(`${number} 0 obj\n${body} /Length ${stream.length} >>\nstream\n`)
  return join([head, stream, latin('\nendstream\nendobj\n')])
}

function assemble(objects: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const head = latin('%PDF-1.4\n')
  let at = head.length
  const rows = objects.map((bytes) => {
    const row = `${String(at).padStart(10, '0')} 00000 n \n`
    at += bytes.length
    return row
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`
  return join([head, ...objects, latin(table + trailer)])
}

function latin(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

function join(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts))
}
