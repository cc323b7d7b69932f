import { sha256 } from '../../platform/secrets.ts'
import type { ReferringFile } from './html/check-reference.ts'
import { wrapFragment } from './html/default-document.ts'
import { findCssWarnings } from './html/find-warnings.ts'
import { type Deck, rewriteReferences } from './html/html-links.ts'
import type { DocumentNeeds, ScriptNeeds } from './html/origin-needs.ts'
import { type HtmlFacts, type ScriptFacts, scanHtml, scanScript } from './html/scan.ts'
import { isHtml } from './staging.ts'
import type { FoundWarning } from './warnings.ts'

export interface FileToRelease {
  bytes: Uint8Array
  path: string
  mime: string
  /** Null for a single page. */
  deck: Deck | null
  /** Visitors land on it. Other fragments of a deck stay as they are: scripts may insert them. */
  isEntry: boolean
}

/** The facts of a file. */
export interface FileFacts {
  html: HtmlFacts | null
  script: ScriptFacts | null
  warnings: FoundWarning[]
  /** What it needs an origin of its own for; null for a file without scripts. */
  origin: ScriptNeeds | DocumentNeeds | null
}

/** A file in the form in which visitors get it. */
export interface ReleasedFile {
  /** The given bytes, which were moved to where the work is done. */
  given: Uint8Array
  /** Its bytes and their hash; null where the given bytes stay. */
  bytes: Uint8Array | null
  hash: string | null
  facts: FileFacts
  /** The file with its references as they were written; null where none was rewritten. */
  original: OriginalFile | null
}

export interface OriginalFile {
  /** Null where they are the given bytes. */
  bytes: Uint8Array | null
  hash: string | null
  html: HtmlFacts | null
}

/** Rewrites references in a file and finds its facts. */
export function releaseFile({ bytes: given, isEntry, ...file }: FileToRelease): ReleasedFile {
  const linked =
    file.deck === null ? given : rewriteReferences({ ...file, bytes: given }, file.deck)
  const bytes = isEntry && isHtml(file) ? wrapFragment(linked) : linked
  const facts = factsOf(given, bytes, file)
  const original = linked === given ? null : originalOf(given, isEntry, file)
  return bytes === given
    ? { given, bytes: null, hash: null, facts, original }
    : { given, bytes, hash: sha256(bytes), facts, original }
}

/** The file as a plain static host sends it, for a page at the root of a host of its own. */
function originalOf(
  given: Uint8Array,
  isEntry: boolean,
  file: ReferringFile & { mime: string },
): OriginalFile {
  if (!isHtml(file)) return { bytes: null, hash: null, html: null }
  const bytes = isEntry ? wrapFragment(given) : given
  const html = htmlFactsOf(given, bytes, file)
  return bytes === given ? { bytes: null, hash: null, html } : { bytes, hash: sha256(bytes), html }
}

function factsOf(
  given: Uint8Array,
  released: Uint8Array,
  file: ReferringFile & { mime: string },
): FileFacts {
  if (isHtml(file)) {
    const html = htmlFactsOf(given, released, file)
    const { warnings, origin } = html
    return { html, script: null, warnings: [...warnings, ...origin.warnings], origin }
  }
  if (file.mime.startsWith('text/css')) {
    return { html: null, script: null, warnings: findCssWarnings(given, file), origin: null }
  }
  const { origin, ...script } = scanScript(released, file.deck)
  return { html: null, script, warnings: origin.warnings, origin }
}

/**
 * These are of the given bytes: a fragment has no title, although its document has one, the lines
 * and addresses are those that the author knows, and tags of `<use>` were renamed.
 */
function htmlFactsOf(given: Uint8Array, released: Uint8Array, file: ReferringFile): HtmlFacts {
  const facts = scanHtml(given, file)
  if (given === released) return facts
  const { title, warnings, mends, origin } = facts
  return { ...scanHtml(released, file), title, warnings, mends, origin }
}
