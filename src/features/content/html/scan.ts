import { decodeHTML } from 'entities/decode'
import type { FormControl } from '../../../model/form.ts'
import type { FoundWarning } from '../warnings.ts'
import { bufferOf, endOfMark } from './bytes.ts'
import { type CheckReference, createReferenceCheck, type ReferringFile } from './check-reference.ts'
import { type CodeFacts, createCodeFinder } from './code.ts'
import { createWarningFinder } from './find-warnings.ts'
import { createFormFinder } from './forms.ts'
import { oneLine } from './text.ts'
import { keyword, readTokens, type Tag } from './tokens.ts'

export { type ScriptFacts, scanScript } from './code.ts'

export interface PreviewSpan {
  name: 'title' | 'description' | 'image'
  start: number
  end: number
}

/** Facts of an HTML file that the service uses, found once, when it is published. */
export interface HtmlFacts extends CodeFacts {
  /** Text of the document's `<title>`, with white space collapsed; null where there is none. */
  title: string | null
  /** The byte offset where the service inserts tags, at the start of the head. */
  head_offset: number
  /** The bytes of the page's own link preview tags, in order. */
  preview_spans: PreviewSpan[]
  /** The fields of its `<form data-service>`s, in the order of the document. */
  controls: FormControl[]
  /** What will not work for visitors. */
  warnings: FoundWarning[]
}

const MAX_TITLE_CHARS = 1000
// Further preview tags of a page stay in it. The facts are stored with each page, so they are few.
const MAX_PREVIEW_SPANS = 50

const ALONE: ReferringFile = { path: 'index.html', deck: null }

/**
 * @param bytes HTML in UTF-8
 * @param file where it is in its deck; a single page unless given
 */
export function scanHtml(bytes: Uint8Array, file: ReferringFile = ALONE): HtmlFacts {
  const buffer = bufferOf(bytes)
  const prologue = createPrologue(buffer)
  const head = createHeadFinder(buffer)
  // Made for the first reference: a small page has none.
  let ready: CheckReference | undefined
  const check: CheckReference = (reference, use) => {
    ready ??= createReferenceCheck(file)
    return ready(reference, use)
  }
  const code = createCodeFinder(buffer, file, check)
  const isLeading = (action: string) => check(action, 'load')?.code !== 'missing_file'
  const forms = createFormFinder(buffer, isLeading)
  const warnings = createWarningFinder(buffer, check, forms)
  // The content of a template is not part of the document until a script inserts it.
  let templates = 0

  readTokens(buffer, {
    startTag(tag) {
      prologue.startTag(tag)
      code.startTag(tag)
      warnings.anyStartTag(tag)
      if (tag.name === 'template' && tag.namespace === 'html') templates++
      if (templates > 0) return
      head.startTag(tag)
      forms.startTag(tag)
      warnings.startTag(tag)
    },
    endTag(name) {
      prologue.endTag()
      code.endTag()
      head.endTag()
      warnings.endTag()
      if (templates === 0) forms.endTag(name)
      else if (name === 'template') templates--
    },
    text(start, end) {
      prologue.text(start, end)
      head.text(start, end)
      code.text(start, end)
      warnings.text(start, end)
    },
    comment(start, end, closed) {
      prologue.comment(end, closed)
      warnings.comment(start, closed)
    },
    doctype(end) {
      prologue.doctype(end)
      warnings.doctype()
    },
  })
  return {
    ...head.facts,
    head_offset: prologue.offset(),
    ...code.result(),
    controls: forms.controls(),
    warnings: warnings.result(),
  }
}

/** Finds the document's title and preview tags, and not those of an SVG. */
function createHeadFinder(buffer: Buffer) {
  const facts: Pick<HtmlFacts, 'title' | 'preview_spans'> = { title: null, preview_spans: [] }
  let title: 'ahead' | 'inside' | 'over' = 'ahead'
  return {
    facts,
    startTag(tag: Tag) {
      if (tag.namespace !== 'html') return
      if (tag.name === 'title' && title === 'ahead') title = 'inside'
      if (tag.name === 'meta' && facts.preview_spans.length < MAX_PREVIEW_SPANS) {
        const name = previewName(buffer, tag)
        if (name !== null) facts.preview_spans.push({ name, start: tag.start, end: tag.end })
      }
    },
    endTag() {
      if (title === 'inside') title = 'over'
    },
    text(start: number, end: number) {
      if (title !== 'inside') return
      facts.title = oneLine(decodeHTML(buffer.toString('utf8', start, end)), MAX_TITLE_CHARS)
    },
  }
}

function previewName(buffer: Buffer, tag: Tag): PreviewSpan['name'] | null {
  for (const name of ['property', 'name']) {
    const value = keyword(buffer, tag, name)
    if (value === 'og:title' || value === 'twitter:title') return 'title'
    if (value === 'og:description' || value === 'twitter:description') return 'description'
    if (/^(?:og|twitter):image(?::(?:url|secure_url|src))?$/.test(value)) return 'image'
  }
  return null
}

/**
 * Finds where the service can insert tags at the start of the head: after `<head>`, or else after
 * what may be before it without starting head or body (byte order mark, doctype, comments, white
 * space, `<html>`). The doctype stays first: otherwise browsers switch to quirks mode.
 */
function createPrologue(buffer: Buffer) {
  let offset = endOfMark(buffer)
  let isOver = false
  return {
    offset: () => offset,
    startTag(tag: Tag) {
      if (isOver) return
      if (tag.name === 'html' || tag.name === 'head') offset = tag.end
      isOver = tag.name !== 'html'
    },
    endTag() {
      isOver = true
    },
    text(start: number, end: number) {
      for (let at = Math.max(start, offset); at < end && !isOver; at++) isOver = buffer[at]! > 32
    },
    comment(end: number, closed: boolean) {
      if (!isOver && closed) offset = end
      isOver ||= !closed
    },
    doctype(end: number) {
      if (!isOver) offset = end
    },
  }
}
