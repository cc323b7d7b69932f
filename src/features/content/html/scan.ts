import { decodeEntities } from './entities.ts'
import { scanScriptText, scriptKindOf } from './scripts.ts'
import { type Attribute, findAttribute, readTokens, type Tag } from './tokens.ts'

export interface PreviewSpan {
  name: 'title' | 'description'
  start: number
  end: number
}

/** What the service needs to know of a page, found once, when it is published. */
export interface HtmlFacts {
  /** Text of the document's own `<title>`, white space collapsed; null without one or empty. */
  title: string | null
  /** Byte offset where a tag of ours may stand as the first thing in the head. */
  head_offset: number
  /** The page's own link-preview tags, by byte, in order. */
  preview_spans: PreviewSpan[]
  collects_responses: boolean
  uses_storage: boolean
}

const PREVIEW_NAME = /^\s*(?:og|twitter):(title|description)\s*$/i

/** @param bytes HTML in UTF-8 */
export function scanHtml(bytes: Uint8Array): HtmlFacts {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const prologue = createPrologue(buffer)
  const facts: HtmlFacts = {
    title: null,
    head_offset: 0,
    preview_spans: [],
    collects_responses: false,
    uses_storage: false,
  }
  /** What the next text belongs to. */
  let inside: 'title' | 'script' | 'svg script' | null = null
  let templates = 0
  let has_title = false
  let svg_script = ''

  function lookAtScript(text: string) {
    const found = scanScriptText(text)
    facts.collects_responses ||= found.calls_submit
    facts.uses_storage ||= found.uses_storage
  }
  function lookAtAttribute({ name, value_start, value_end }: Attribute) {
    if (!name.startsWith('on') && !/^(?:href|src|action|formaction)$/.test(name)) return
    const value = decodeEntities(buffer.utf8Slice(value_start, value_end), 'attribute')
    if (name.startsWith('on') || /^[\0- ]*javascript:/i.test(value)) lookAtScript(value)
  }

  readTokens(buffer, {
    startTag(tag) {
      prologue.startTag(tag)
      inside = null
      for (const attribute of tag.attributes) lookAtAttribute(attribute)
      if (tag.name === 'form' && findAttribute(tag, 'data-service') !== undefined) {
        facts.collects_responses = true
      } else if (tag.name === 'script') {
        const kind = scriptKindOf(valueOf(buffer, tag, 'type'))
        if (kind !== 'json' && kind !== 'importmap') {
          inside = tag.namespace === 'html' ? 'script' : 'svg script'
        }
      }
      if (tag.namespace !== 'html') return
      if (tag.name === 'template') templates++
      else if (templates > 0) return
      else if (tag.name === 'title' && !has_title) {
        has_title = true
        inside = 'title'
      } else if (tag.name === 'meta') {
        const span = previewSpan(buffer, tag)
        if (span !== null) facts.preview_spans.push(span)
      }
    },
    endTag(name) {
      prologue.stop()
      if (name === 'template' && templates > 0) templates--
      if (inside === 'svg script') {
        lookAtScript(decodeEntities(svg_script, 'text'))
        svg_script = ''
      }
      inside = null
    },
    text(start, end) {
      prologue.text(start, end)
      if (inside === 'script') lookAtScript(buffer.latin1Slice(start, end))
      else if (inside === 'svg script') svg_script += buffer.utf8Slice(start, end)
      else if (inside === 'title') facts.title = titleOf(buffer.utf8Slice(start, end))
    },
    comment: prologue.comment,
    doctype: prologue.doctype,
  })
  facts.head_offset = prologue.offset()
  return facts
}

/**
 * What may come before the head's first tag without starting the head or the body: byte order mark,
 * doctype, comments, white space, `<html>`. The doctype must stay first, or the page falls into
 * quirks mode.
 */
function createPrologue(buffer: Buffer) {
  let offset = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0
  let over = false
  return {
    offset: () => offset,
    stop() {
      over = true
    },
    startTag(tag: Tag) {
      if (over) return
      if (tag.name === 'html' || tag.name === 'head') offset = tag.end
      over = tag.name !== 'html'
    },
    text(start: number, end: number) {
      for (let at = Math.max(start, offset); at < end && !over; at++) over = buffer[at]! > 32
    },
    comment(_start: number, end: number, closed: boolean) {
      if (!over && closed) offset = end
      over ||= !closed
    },
    doctype(end: number) {
      if (!over) offset = end
    },
  }
}

function titleOf(raw: string): string | null {
  const text = decodeEntities(raw, 'text').replace(/\s+/g, ' ').trim()
  return text === '' ? null : text
}

function previewSpan(buffer: Buffer, tag: Tag): PreviewSpan | null {
  for (const name of ['property', 'name']) {
    const found = PREVIEW_NAME.exec(valueOf(buffer, tag, name) ?? '')?.[1]?.toLowerCase()
    if (found === 'title' || found === 'description') {
      return { name: found, start: tag.start, end: tag.end }
    }
  }
  return null
}

/** Text of an attribute; null without it. */
function valueOf(buffer: Buffer, tag: Tag, name: string): string | null {
  const found = findAttribute(tag, name)
  if (found === undefined) return null
  return decodeEntities(buffer.utf8Slice(found.value_start, found.value_end), 'attribute')
}
