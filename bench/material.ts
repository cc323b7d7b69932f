/** What is published and measured: made here, the same at every run. */

const SENTENCES = [
  'Each reader meets the page as its author left it, and nothing stands in between.',
  'What is published stays where it was put until somebody with the key says otherwise.',
  'A link is a promise; a good service keeps it quickly, and counts that it did.',
  'Numbers without their neighbours say little, so every figure here has a peer.',
]

/** An HTML document of exactly this many bytes. */
export function htmlOf(size_bytes: number, title = 'A page to measure'): Uint8Array {
  const start = `<!doctype html>\n<html lang="en"><head><title>${title}</title></head><body>\n`
  return filled(start, size_bytes)
}

/** 4 MB in which `marks` places can be found, each once. */
export function editableHtml(size_bytes: number, marks: number, revision: number): Uint8Array {
  const apart = Math.floor(size_bytes / (marks + 1))
  let text = '<!doctype html>\n<html lang="en"><head><title>Edited</title></head><body>\n'
  for (let mark = 0; mark < marks; mark++) {
    text += `${markAt(mark, revision)}\n`
    text += paragraphs((mark + 1) * apart - text.length)
  }
  return filled(text, size_bytes)
}

export function markAt(mark: number, revision: number): string {
  return `<li id="mark-${mark}">revision ${revision}</li>`
}

/** Begins as a PDF does; the rest is noise, as what is packed in a real one looks from outside. */
export function pdfOf(size_bytes: number): Uint8Array {
  const bytes = new Uint8Array(size_bytes)
  for (let at = 0; at < size_bytes; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, Math.min(at + 65_536, size_bytes)))
  }
  bytes.set(new TextEncoder().encode('%PDF-1.7\n'))
  return bytes
}

function filled(start: string, size_bytes: number): Uint8Array {
  const end = '</body></html>\n'
  const room = size_bytes - start.length - end.length
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
