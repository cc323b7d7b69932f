import type { Bytes, DeckFile } from './local-content.ts'
import { markdownPage } from './markdown.ts'

/**
 * The pages of a folder of Markdown: each file becomes HTML, and links between them lead there. The
 * `README` of a folder is its `index.html`, unless it has an `index.md`.
 */
export async function markdownPages(texts: readonly DeckFile[]): Promise<DeckFile[]> {
  const names = new Set(texts.map(({ path }) => path.toLowerCase()))
  const toHtml = (path: string) => htmlPath(path, names)
  return Promise.all(
    texts.map(async ({ path, bytes }) => {
      const name = path.slice(path.lastIndexOf('/') + 1)
      const page = await markdownPage(new TextDecoder().decode(bytes), name)
      return { path: toHtml(path), bytes: withLinks(page, path, toHtml) }
    }),
  )
}

function htmlPath(path: string, names: ReadonlySet<string>): string {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const hasIndex = names.has(`${folder}index.md`.toLowerCase())
  if (/(?:^|\/)readme\.(?:md|markdown)$/i.test(path) && !hasIndex) return `${folder}index.html`
  return path.replace(/\.(?:md|markdown)$/i, '.html')
}

const LINK = /(<a href=")([^":?#]{1,1024}\.(?:md|markdown))(?=[?#"])/gi

/** Relative links to Markdown files lead to their HTML. */
function withLinks(page: Bytes, path: string, toHtml: (path: string) => string): Bytes {
  const base = `http://deck.invalid/${path.split('/').map(encodeURIComponent).join('/')}`
  const text = new TextDecoder().decode(page).replace(LINK, (_, start: string, link: string) => {
    const target = decoded(new URL(link, base).pathname.slice(1))
    const name = toHtml(target).slice(target.lastIndexOf('/') + 1)
    return start + link.slice(0, link.lastIndexOf('/') + 1) + encodeURI(name)
  })
  return new TextEncoder().encode(text) as Bytes
}

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
