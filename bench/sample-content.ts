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

/**
 * An HTML document of about this many bytes, whose words are as frequent as those of a language: it
 * compresses about as well as prose, where repeated sentences would compress to nothing.
 */
export function proseOf(sizeBytes: number): Uint8Array {
  const random = createRandom(7)
  const words = Array.from({ length: 4000 }, () => randomWord(random))
  const pick = () => words[Math.floor(words.length * random() ** 3)]!
  let text = '<!doctype html>\n<html lang="en"><head><title>Prose</title></head><body>\n'
  while (text.length < sizeBytes) {
    const sentence = Array.from({ length: 8 + Math.floor(12 * random()) }, pick).join(' ')
    text += `<p>${sentence}.</p>\n`
  }
  return new TextEncoder().encode(`${text.slice(0, sizeBytes)}`)
}

function randomWord(random: () => number): string {
  const letters = 'etaoinshrdlcumwfgypbvk'
  const letter = () => letters[Math.floor(letters.length * random() ** 1.5)]
  return Array.from({ length: 2 + Math.floor(8 * random()) }, letter).join('')
}

/** The same numbers in every run (a linear congruential generator). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
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
  const results: string[] = []
  for (let left = maxLength, i = 0; ; i++) {
    const text = `<p class="p${i % 7}">${SENTENCES[i % SENTENCES.length]}</p>\n`
    if (text.length > left) return results.join('')
    results.push(text)
    left -= text.length
  }
}
