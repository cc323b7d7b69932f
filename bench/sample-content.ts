/** The content that is published and measured, the same in every run. */

const SENTENCES = [
  'Each reader meets the page as its author left it, and nothing stands in between.',
  'What is published stays where it was put until somebody with the key says otherwise.',
  'A link is a promise; a good service keeps it quickly, and counts that it did.',
  'Numbers without their neighbours say little, so every figure here has a peer.',
]

/** An HTML document of exactly this many bytes. */
export function htmlOf(sizeBytes: number, title = 'A page to measure'): Uint8Array {
  const start = `<!doctype html>\n<html lang="en"><head><title>${title}</title></head><body>\n`
  return filled(start, sizeBytes)
}

/** An HTML document of exactly this many bytes, with `marks` texts that occur once each. */
export function editableHtml(sizeBytes: number, marks: number, revision: number): Uint8Array {
  const apart = Math.floor(sizeBytes / (marks + 1))
  let text = '<!doctype html>\n<html lang="en"><head><title>Edited</title></head><body>\n'
  for (let mark = 0; mark < marks; mark++) {
    text += `${markAt(mark, revision)}\n`
    text += paragraphs((mark + 1) * apart - text.length)
  }
  return filled(text, sizeBytes)
}

export function markAt(mark: number, revision: number): string {
  return `<li id="mark-${mark}">revision ${revision}</li>`
}

/** A file that starts like a PDF. The rest is random, like compressed data. */
export function pdfOf(sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes)
  for (let at = 0; at < sizeBytes; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, Math.min(at + 65_536, sizeBytes)))
  }
  bytes.set(new TextEncoder().encode('%PDF-1.7\n'))
  return bytes
}

function filled(start: string, sizeBytes: number): Uint8Array {
  const end = '</body></html>\n'
  const rest = sizeBytes - start.length - end.length
  const text = paragraphs(rest)
  return new TextEncoder().encode(`${start}${text}${' '.repeat(rest - text.length)}${end}`)
}

/** As many complete paragraphs as fit into `maxLength` characters. */
function paragraphs(maxLength: number): string {
  const found: string[] = []
  for (let left = maxLength, i = 0; ; i++) {
    const text = `<p class="p${i % 7}">${SENTENCES[i % SENTENCES.length]}</p>\n`
    if (text.length > left) return found.join('')
    found.push(text)
    left -= text.length
  }
}
