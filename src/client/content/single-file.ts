import { besideLimit } from '../../model/plan.ts'
import { ContentProblem, formatOf, type LocalContent, MAX_BYTES } from './local-content.ts'

/**
 * Makes content of a file, by its name. One of a type that browsers do not open as a page becomes a
 * deck that shows or offers it.
 *
 * @throws ContentProblem
 */
export async function contentOfFile(name: string, blob: Blob): Promise<LocalContent> {
  if (blob.size > MAX_BYTES) {
    const { size, limit } = besideLimit(blob.size, MAX_BYTES)
    throw new ContentProblem(`${name} is ${size}; the most is ${limit}.`)
  }
  switch (formatOf(name)) {
    case 'html':
    case 'markdown':
      return { kind: 'html', blob, name }
    case 'file':
      return { kind: 'file', name, blob }
    case 'zip': {
      const { readZip } = await import('./zip.ts')
      return readZip(name, blob)
    }
    default: {
      const { filePage } = await import('./file-page.ts')
      return filePage(name, blob)
    }
  }
}
