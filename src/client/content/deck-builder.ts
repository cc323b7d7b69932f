import { leftOutPart } from '../../model/deck-folder.ts'
import { isMarkdownName } from '../../model/markdown/source.ts'
import {
  ContentProblem,
  type DeckFile,
  isHtmlName,
  type LocalDeck,
  type SkippedFile,
} from './local-content.ts'

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
    const part = leftOutPart(path)
    if (part === null) return true
    const reason = part.isHidden ? 'its name starts with a dot' : 'it belongs to tools'
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

  /** In a folder of Markdown alone, the server makes a page of each; beside HTML it is an asset. */
  async build(): Promise<LocalDeck> {
    const { skipped } = this
    const isPage = this.pages.length > 0 ? () => false : isMarkdownFile
    const pages = [...this.pages, ...this.assets.filter(isPage)]
    if (pages.length === 0) {
      throw new ContentProblem(`${this.name} holds no HTML file: a deck needs at least one.`)
    }
    return { kind: 'deck', pages, assets: this.assets.filter((file) => !isPage(file)), skipped }
  }
}

const isMarkdownFile = ({ path }: DeckFile) => isMarkdownName(path)
