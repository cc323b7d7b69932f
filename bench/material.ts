/** What is published and measured: made here, the same at every run. */

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

/** 4 MB in which `marks` places can be found, each once. */
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

/** Begins as a PDF does; the rest is noise, as what is packed in a real one looks from outside. */
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
  const room = sizeBytes - start.length - end.length
  const text = paragraphs(room)
  return new TextEncoder().encode(`${start}${text}${' '.repeat(room - text.length)}${end}`)
}

/** As many whole paragraphs as fit. */
function paragraphs(room: number): string {
  const found: string[] = []
  for (let left = room, i = 0; ; i++) {
    const text = `<p class="p${i % 7}">${SENTENCES[i % SENTENCES.length]}</p>\n`
    if (text.length > left) return found.join('')
    found.push(text)
    left -= text.length
  }
}
