import { LRUCache } from 'lru-cache'
import { type Anchor, type AnchorState, isTextAnchor } from '../../../model/anchor.ts'
import { condense, findPassage } from '../../../model/passage.ts'
import {
  type Content,
  entryFile,
  type Manifest,
  type ManifestFile,
  type PageText,
  passageBytes,
  readPageText,
} from '../../content/index.ts'

export { fits } from './locate.ts'

/** Of the text; its offsets take four times as much. */
const MAX_TEXT_CHARS = 16 * 1024 * 1024

/** An anchor, the file it was made in, and the content in which it is looked for. */
export interface AnchorQuestion {
  anchor: Anchor
  /** The file of a deck; '' on other pages. */
  path: string
  /** The hash of the file that the author had open. */
  fileHash: string
  /** The manifest that readers have open. */
  shownManifestId: string
}

export interface Anchors {
  /**
   * How an anchor stands in the shown content: `exact` in the bytes it was made in, `moved` where
   * other bytes have the same words in the same context once, else `outdated`. Never guessed.
   */
  stateOf(question: AnchorQuestion): Promise<AnchorState>
}

export interface AnchorsDeps {
  content: Pick<Content, 'getManifest' | 'bytes'>
}

/** Locates the anchors of comments in stored content. What a page's frame claims is not trusted. */
export function createAnchors({ content }: AnchorsDeps): Anchors {
  /** By the hash of their file. */
  const texts = new LRUCache<string, PageText>({
    maxSize: MAX_TEXT_CHARS,
    sizeCalculation: ({ text }) => text.length + 1,
  })

  async function textOf({ hash }: ManifestFile): Promise<PageText> {
    const known = texts.get(hash)
    if (known !== undefined) return known
    const text = readPageText(await content.bytes(hash))
    texts.set(hash, text)
    return text
  }

  return {
    async stateOf({ anchor, path, fileHash, shownManifestId }) {
      const file = fileAt(await content.getManifest(shownManifestId), path)
      if (file === null) return 'outdated'
      const isSame = file.hash === fileHash
      // A spot, or an element without words, can be found by the bytes of its file alone.
      if (!isTextAnchor(anchor) || condense(anchor.quote) === '') {
        return isSame ? 'exact' : 'outdated'
      }
      const { text } = await textOf(file)
      if (findPassage(text, passageBytes(anchor)) === null) return 'outdated'
      return isSame ? 'exact' : 'moved'
    },
  }
}

/** The file of a deck by its path, or the only file of another page. */
export function fileAt(manifest: Manifest, path: string): ManifestFile | null {
  if (manifest.kind === 'single') return path === '' ? entryFile(manifest) : null
  return manifest.files.find((file) => file.path === path) ?? null
}
