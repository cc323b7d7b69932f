import { whyLeftOut } from '../../model/deck-folder.ts'
import {
  ContentProblem,
  type DeckFile,
  isHtmlName,
  isMarkdownName,
  type LocalDeck,
  pathInDeck,
  type SkippedFile,
} from './local-content.ts'
import { markdownPage } from './markdown.ts'

/** More entries mean that this is probably the wrong folder. */
const MAX_ENTRIES = 20_000
/** The file in which the command line records the page of a folder. */
export const PAGE_RECORD_FILE = '.handbill.json'

/** Collects the files of a folder or an archive into a deck, and skips those that do not fit. */
export class DeckBuilder {
  readonly name: string
  private readonly pages: DeckFile[] = []
  private readonly assets: DeckFile[] = []
  private readonly skipped: SkippedFile[] = []
  private entries = 0

  constructor(name: string) {
    this.name = name
  }

  /** Whether to read an entry. Records it as skipped if not. A folder ends with a slash. */
  accepts(path: string): boolean {
    const parts = path.split('/').filter((part) => part !== '')
    if (parts.at(-1) === PAGE_RECORD_FILE) return false
    this.entries += 1
    if (this.entries > MAX_ENTRIES) {
      throw new ContentProblem(
        `${this.name} holds more than ${MAX_ENTRIES} files: name the folder of the page alone.`,
      )
    }
    const why = whyLeftOut(path)
    if (why === null) return true
    const reason = why === 'hidden' ? 'its name starts with a dot' : 'it belongs to tools'
    this.skipped.push({ path, reason, isExpected: true })
    return false
  }

  add(file: DeckFile): void {
    if (isHtmlName(file.path)) this.pages.push(file)
    else this.assets.push(file)
  }

  skip(path: string, reason: string): void {
    this.skipped.push({ path, reason, isExpected: false })
  }

  /** A folder of Markdown alone becomes pages of HTML; beside HTML, Markdown stays as it is. */
  async build(): Promise<LocalDeck> {
    const { pages, assets, skipped } = this
    if (pages.length > 0) return { kind: 'deck', pages, assets, skipped }
    const texts = assets.filter(({ path }) => isMarkdownName(path))
    if (texts.length === 0) {
      throw new ContentProblem(`${this.name} holds no HTML file: a deck needs at least one.`)
    }
    const others = assets.filter((file) => !texts.includes(file))
    return { kind: 'deck', pages: await markdownPages(texts), assets: others, skipped }
  }
}

/**
 * The pages of a folder of Markdown: each file becomes HTML, and links between them lead there. The
 * `README` of a folder is its `index.html`, unless it has an `index.md`.
 */
async function markdownPages(texts: readonly DeckFile[]): Promise<DeckFile[]> {
  const names = new Set(texts.map(({ path }) => path.toLowerCase()))
  const toHtml = (path: string) => htmlPath(path, names)
  return Promise.all(
    texts.map(async ({ path, blob }) => {
      const name = path.slice(path.lastIndexOf('/') + 1)
      const page = await markdownPage(await blob.text(), name)
      return { path: toHtml(path), blob: new Blob([withLinks(await page.text(), path, toHtml)]) }
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
function withLinks(page: string, path: string, toHtml: (path: string) => string): string {
  return page.replace(LINK, (whole, start: string, link: string) => {
    const target = pathInDeck(link, path)
    if (target === null) return whole
    const name = toHtml(target).slice(target.lastIndexOf('/') + 1)
    return start + link.slice(0, link.lastIndexOf('/') + 1) + encodeURI(name)
  })
}
