import type { Tag } from './tags.ts'

/**
 * Finds where the service can insert tags at the start of the head: after `<head>`, or else after
 * what may be before it without starting head or body (byte order mark, doctype, comments, white
 * space, `<html>`). The doctype stays first: otherwise browsers switch to quirks mode.
 */
export function createPrologue(buffer: Buffer) {
  let offset = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0
  let isOver = false
  return {
    offset: () => offset,
    startTag(tag: Tag) {
      if (isOver) return
      if (tag.name === 'html' || tag.name === 'head') offset = tag.end
      isOver = tag.name !== 'html'
    },
    /** Any other tag. */
    plainTag() {
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
